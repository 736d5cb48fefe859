// A profile's timeline: joins the scene, the parts of the page beside it, and the inputs.

import type { LineOnTimeline, LineParams, Timeline } from "../../src/protocol";
import type { TimelineAsking } from "./asking";
import { listenToKeys } from "./input/keyboard";
import { listenToPointer } from "./input/pointer";
import { keyActions, pointerActions } from "./inputs";
import { COLOURINGS } from "./model/colouring";
import { GROUPINGS } from "./model/grouping";
import { around, type Range } from "./model/range";
import type { Marker, SavedView } from "./model/savedViews";
import { makeParts, type ViewParts } from "./parts";
import { pngOf, svgOf } from "./pictureFiles";
import type { SourceHost } from "./sourceLinks";
import { choice } from "../page/choice";
import { button, element } from "../page/dom";
import { header } from "./view/header";
import { Help } from "./view/help";
import { Minimap } from "./view/minimap";
import { missingDevice } from "./view/notice";
import { type PictureFormat, pictureMenu } from "./view/pictureMenu";
import { qualityReport } from "../page/qualityReport";
import { Status } from "./view/status";
import { Tooltip } from "../page/tooltip";

const BUTTON_ZOOM = 2;
const SAVE_AFTER_MS = 250;
const MINIMAP_PX = 1_000;
const CANVAS_ID = "timeline";

/** What the view needs from around it. */
export interface Surroundings extends SourceHost {
  readonly asking: TimelineAsking;
  readonly save: (view: SavedView) => void;
  /** Puts what shows this view again on the clipboard. */
  readonly copy: (view: SavedView) => void;
  /** Saves a picture where a person says; PNG is in base64. */
  readonly savePicture: (format: PictureFormat, content: string) => void;
}

export class TimelineView {
  private readonly parts: ViewParts;
  private readonly help = new Help();
  private readonly tooltip = new Tooltip();
  private readonly live = element("div", "live");
  private readonly status: Status;
  private readonly minimap: Minimap;
  private readonly themeChanges: MutationObserver;
  private isMinimapAsked = false;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly page: HTMLElement,
    private readonly timeline: Timeline,
    saved: SavedView | undefined,
    private readonly surroundings: Surroundings,
  ) {
    const { tooltip, announce, drawn } = this;
    this.parts = makeParts({ timeline, saved, surroundings, tooltip, announce, drawn });
    const { scene } = this.parts;
    this.status = new Status(() => {
      this.isMinimapAsked = false;
      scene.retry();
    });
    this.minimap = new Minimap(scene.viewport.bounds, CANVAS_ID, {
      centre: (ns) => {
        scene.viewport.centre(ns);
      },
      pan: (screens) => {
        scene.viewport.panBy(screens);
      },
    });
    this.build();
    this.themeChanges = new MutationObserver(this.useTheme);
    this.themeChanges.observe(page, { attributeFilter: ["class"] });
    this.themeChanges.observe(document.documentElement, { attributeFilter: ["style"] });
    this.useTheme();
    if (saved === undefined) this.showSteps();
    else this.restore(saved);
    this.parts.marking.refresh();
  }

  get directory(): string {
    return this.timeline.directory;
  }

  /** Zooms to a line's device time, selects the event there, and shows all of the line's. */
  goTo(place: LineOnTimeline, { file, line }: Pick<LineParams, "file" | "line">): void {
    const { scene, navigation, finder } = this.parts;
    finder.lookForLine(file, line);
    const { event, fromNs, toNs } = place;
    scene.viewport.glideTo(place);
    navigation.goTo({ event, startNs: fromNs, durationNs: toNs - fromNs });
    scene.stage.canvas.focus();
  }

  /** Zooms to a stretch of time. */
  goToRange({ fromNs, toNs }: Range): void {
    const { viewport, stage } = this.parts.scene;
    viewport.glideTo(around(fromNs, toNs, viewport.bounds));
    stage.canvas.focus();
  }

  /** Shows a line's executions over the rest, unless a text is looked for; null shows all alike. */
  follow(line: Pick<LineParams, "file" | "line"> | null): void {
    const { finder } = this.parts;
    if (finder.text !== "") return;
    if (line === null) finder.leaveLine();
    else finder.lookForLine(line.file, line.line);
  }

  /** Sets markers that came with a view, beside those of the profile. */
  mark(markers: readonly Marker[]): void {
    if (markers.length > 0) void this.parts.marking.change({ removed: [], added: markers });
  }

  /** Shows the profile's markers as they are now. */
  refreshMarkers(): void {
    this.parts.marking.refresh();
  }

  dispose(): void {
    clearTimeout(this.saveTimer);
    this.parts.finder.dispose();
    this.save();
    this.themeChanges.disconnect();
    this.parts.scene.dispose();
  }

  private build(): void {
    const { scene, navigation, findBar, marking, panes } = this.parts;
    const { stage, viewport } = scene;
    stage.canvas.id = CANVAS_ID;
    this.live.setAttribute("aria-live", "polite");
    const quality = qualityReport(this.timeline.quality);
    const popovers = [
      marking.list.popover,
      pictureMenu(this.savePicture),
      ...(quality === undefined ? [] : [quality]),
      this.help.popover,
    ];
    const copy = button(
      "Copy",
      "tool",
      () => {
        this.surroundings.copy(this.view());
      },
      "Copy this view, as an argument of the command Show Timeline",
    );
    const top = header(this.timeline, {
      zoomIn: () => {
        viewport.glideZoom(1 / BUTTON_ZOOM);
      },
      zoomOut: () => {
        viewport.glideZoom(BUTTON_ZOOM);
      },
      fit: () => {
        navigation.fit();
      },
      openers: [copy, ...popovers.map(({ opener }) => opener)],
      choices: [
        findBar.root,
        choice("Group tracks by", GROUPINGS, scene.grouping, (grouping) => {
          scene.group(grouping);
        }),
        choice("Colour by", COLOURINGS, scene.colouring, (colouring) => {
          scene.colour(colouring);
          this.useTheme();
        }),
      ],
    });
    const over = [this.status.root, ...popovers.map(({ root }) => root)];
    const main = element("main", "main", stage.root, ...over, ...panes.map(({ root }) => root));
    const whole = element("nav", "whole", this.minimap.root);
    whole.setAttribute("aria-label", "The whole run");
    const notice = missingDevice(this.timeline);
    const notices = notice === undefined ? [] : [notice];
    this.page.replaceChildren(top, whole, ...notices, main, this.tooltip.root, this.live);
    listenToPointer(stage.canvas, pointerActions(this.parts));
    listenToKeys(stage.canvas, keyActions(this.parts));
  }

  private readonly savePicture = (format: PictureFormat): void => {
    const { seen } = this.parts.scene;
    if (seen === undefined) return;
    const content = format === "svg" ? svgOf(seen) : pngOf(seen, devicePixelRatio);
    this.surroundings.savePicture(format, content);
  };

  private async drawMinimap(): Promise<void> {
    this.isMinimapAsked = true;
    const { fromNs, toNs } = this.parts.scene.viewport.bounds;
    const kinds = new Set(this.timeline.tracks.map(({ kind }) => kind));
    const groups = [...kinds].map((kind) =>
      this.timeline.tracks.filter((track) => track.kind === kind).map(({ track }) => track),
    );
    try {
      const { directory } = this;
      const range = { fromNs: Math.floor(fromNs), toNs: Math.ceil(toNs) };
      const asked = { of: "run", directory, ...range, width: MINIMAP_PX, groups } as const;
      this.minimap.draw(await this.surroundings.asking.utilisation(asked));
    } catch {
      // The strip still shows which part is in view; the tracks say what is wrong.
    }
  }

  /** What the numbers are of: not the imports and the warm-up before it. */
  private showSteps(): void {
    const [first, last] = [this.timeline.steps[0], this.timeline.steps.at(-1)];
    if (first !== undefined && last !== undefined) {
      const { viewport } = this.parts.scene;
      viewport.jumpTo(around(first.startNs, last.endNs, viewport.bounds));
    }
  }

  private readonly announce = (text: string): void => {
    this.live.textContent = text;
  };

  private readonly useTheme = (): void => {
    const { scene } = this.parts;
    const palette = scene.useTheme(this.page);
    const categories = this.timeline.categories.map((text, category) => ({
      colour: palette.swatch(category),
      text,
    }));
    this.help.show(() => (scene.colouring === "category" ? categories : palette.keySwatches()));
  };

  private readonly drawn = (): void => {
    const { problem, pieces, viewport } = this.parts.scene;
    this.status.show(problem, pieces.length === 0);
    this.minimap.show(viewport.range);
    // Spans first: of a large profile the strip takes longer.
    if (pieces.length > 0 && !this.isMinimapAsked) void this.drawMinimap();
    if (!viewport.isMoving) {
      clearTimeout(this.saveTimer);
      this.saveTimer = setTimeout(this.save, SAVE_AFTER_MS);
    }
  };

  private readonly save = (): void => {
    this.surroundings.save(this.view());
  };

  private view(): SavedView {
    const { scene, selection, finder, marking } = this.parts;
    const { viewport, stage, collapsed, grouping, colouring } = scene;
    return {
      ...viewport.range,
      scrollTop: stage.scrollTop,
      event: selection.event ?? null,
      collapsed: [...collapsed],
      grouping,
      colouring,
      find: finder.text,
      markers: marking.markers,
    };
  }

  private restore(saved: SavedView): void {
    const { scene, selection, finder, findBar, marking } = this.parts;
    scene.viewport.jumpTo(saved);
    scene.stage.scrollTop = saved.scrollTop;
    if (saved.event !== null) selection.selectEvent(saved.event);
    marking.show(saved.markers ?? []);
    if (saved.find !== undefined && saved.find !== "") {
      findBar.text = saved.find;
      finder.look(saved.find);
    }
  }
}
