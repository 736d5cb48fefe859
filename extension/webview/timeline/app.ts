import type { Timeline } from "../../src/protocol";
import type { PageCommand } from "../page/commands";
import type { FromPage, ToPage } from "./messages";
import { TimelineAsking } from "./asking";
import type { Host } from "../page/host";
import { type Marker, type SavedView, SavedViews } from "./model/savedViews";
import { TimelineView } from "./timelineView";
import { emptyState } from "../page/emptyState";
import { element } from "../page/dom";
import { LOADING } from "./view/status";

type GoTo = Extract<ToPage, { readonly type: "goTo" }>;

/** The page: the timeline it is told to show, or the empty state. */
export class App {
  private readonly asking: TimelineAsking;
  private readonly savedViews: SavedViews;
  private view: TimelineView | undefined;
  private timeline: Timeline | null = null;
  /** A place to go to once its profile is shown. */
  private awaited: GoTo | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: Host<FromPage, ToPage>,
  ) {
    this.asking = new TimelineAsking((message) => {
      host.post(message);
    });
    this.savedViews = SavedViews.from(host.readState());
  }

  start(): void {
    this.root.replaceChildren(element("p", "loading", LOADING));
    this.host.listen((message) => {
      this.receive(message);
    });
    this.host.post({ type: "ready" });
  }

  private receive(message: ToPage): void {
    switch (message.type) {
      case "timeline":
        this.show(message.timeline, message.message);
        break;
      case "goTo":
        this.awaited = message;
        this.goToAwaited();
        break;
      case "range":
        if (message.directory === this.view?.directory) this.view.goToRange(message);
        break;
      case "follow":
        if (message.directory === this.view?.directory) this.view.follow(message.line);
        break;
      case "markersChanged":
        if (message.directory === this.view?.directory) this.view.refreshMarkers();
        break;
      case "view":
        this.showView(message.directory, message.view);
        break;
      case "window":
      case "details":
      case "area":
      case "match":
      case "utilisation":
      case "counters":
      case "markers":
      case "superseded":
      case "failed":
        this.asking.settle(message);
        break;
    }
  }

  /**
   * @param markers To be set beside the profile's own.
   */
  private show(timeline: Timeline | null, message: string, markers: readonly Marker[] = []): void {
    this.asking.forget();
    this.view?.dispose();
    this.view = undefined;
    this.timeline = timeline;
    if (timeline === null) {
      const run = (command: PageCommand): void => {
        this.host.post({ type: "run", command });
      };
      this.root.replaceChildren(emptyState("No timeline yet", message, run));
      return;
    }
    const { directory } = timeline;
    this.view = new TimelineView(this.root, timeline, this.savedViews.of(directory), {
      asking: this.asking,
      reveal: (uri, line) => {
        this.host.post({ type: "reveal", uri, line });
      },
      choosePlace: (event) => {
        this.host.post({ type: "choosePlace", directory, event });
      },
      locate: (file, line) => {
        this.host.post({ type: "locate", directory, file, line });
      },
      copy: (view) => {
        this.host.post({ type: "copyView", directory, view });
      },
      savePicture: (format, content) => {
        this.host.post({ type: "savePicture", format, content });
      },
      save: (view) => {
        this.host.writeState(this.savedViews.saved(directory, view));
      },
    });
    this.view.mark(markers);
    this.goToAwaited();
  }

  /** Shows the profile that is there as it was seen before. */
  private showView(directory: string, view: SavedView): void {
    if (this.timeline?.directory !== directory) return;
    this.view?.dispose();
    this.view = undefined;
    this.savedViews.saved(directory, view);
    this.show(this.timeline, "", view.markers);
  }

  private goToAwaited(): void {
    if (this.awaited !== undefined && this.awaited.directory === this.view?.directory) {
      this.view.goTo(this.awaited.place, this.awaited.line);
      this.awaited = undefined;
    }
  }
}
