// A profile's timeline: joins the scene, the parts of the page beside it, and the inputs.

import type { LineOnTimeline, Timeline } from "../../src/protocol";
import { AreaSelection } from "./areaSelection";
import type { Asking } from "./asking";
import { Finder } from "./finder";
import { listenToKeys } from "./input/keyboard";
import { listenToPointer } from "./input/pointer";
import { keyActions, pointerActions, type ViewParts } from "./inputs";
import { Marking } from "./marking";
import { COLOURINGS } from "./model/colouring";
import { describe, type Description } from "./model/described";
import type { Found } from "./model/finding";
import { GROUPINGS } from "./model/grouping";
import { SOURCE_LINE } from "./model/palette";
import { around } from "./model/range";
import type { SavedView } from "./model/savedViews";
import { at } from "./model/spans";
import { Navigation } from "./navigation";
import { Pointing } from "./pointing";
import { Scene } from "./scene";
import { Selection } from "./selection";
import { type SourceHost, SourceLinks } from "./sourceLinks";
import { AreaPane } from "./view/areaPane";
import { choice } from "./view/choice";
import { DetailsPane } from "./view/details";
import { button, element } from "./view/dom";
import { FindBar } from "./view/findBar";
import { header } from "./view/header";
import { Help } from "./view/help";
import { Minimap } from "./view/minimap";
import { qualityReport } from "./view/quality";
import { Status } from "./view/status";
import { Tooltip } from "./view/tooltip";

const BUTTON_ZOOM = 2;
const SAVE_AFTER_MS = 250;
const MINIMAP_PX = 1_000;
const CANVAS_ID = "timeline";

/** What the view needs from around it. */
export interface Surroundings extends SourceHost {
  readonly asking: Asking;
  readonly save: (view: SavedView) => void;
  /** Puts what shows this view again on the clipboard. */
  readonly copy: (view: SavedView) => void;
}

export class TimelineView {
  private readonly parts: ViewParts;
  private readonly help = new Help();
  private readonly tooltip = new Tooltip();
  private readonly live = element("div", "live");
  private readonly status: Status;
  private readonly minimap: Minimap;
  private readonly themeChanges: MutationObserver;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly page: HTMLElement,
    private readonly timeline: Timeline,
    saved: SavedView | undefined,
    private readonly surroundings: Surroundings,
  ) {
    const { asking } = surroundings;
    const { directory } = timeline;
    const scene = new Scene(timeline, saved, asking, {
      marks: (pieces) => {
        const { selection, navigation, area, marking, pointing } = this.parts;
        selection.locate(pieces);
        navigation.arrive();
        const { box: selected, links } = selection;
        const { markers } = marking;
        return { selected, hovered: pointing.hovered, area: area.box, markers, links };
      },
      drawn: this.drawn,
    });
    this.status = new Status(() => {
      scene.retry();
    });
    const links = new SourceLinks(surroundings);
    const focus = (): void => {
      // The button that had the keyboard is gone.
      scene.stage.canvas.focus();
    };
    const pane = new DetailsPane(
      links,
      () => {
        navigation.clear();
        focus();
      },
      (link) => {
        navigation.goTo(link);
        focus();
      },
    );
    const selection = new Selection({
      pane,
      askDetails: (event) => asking.details({ directory, event }),
      describe: this.describe,
      announce: this.announce,
      changed: scene.changed,
      links,
    });
    const navigation = new Navigation(scene, selection);
    const areaPane = new AreaPane(timeline, () => {
      area.clear();
      focus();
    });
    const area = new AreaSelection({
      pane: areaPane,
      layout: () => scene.layout,
      ask: (range, tracks) => asking.area({ directory, ...range, tracks }),
      announce: this.announce,
      changed: scene.changed,
    });
    const findBar = new FindBar({
      typed: (text) => {
        finder.type(text);
      },
      next: () => {
        finder.next();
      },
      previous: () => {
        finder.previous();
      },
      clear: () => {
        finder.clear();
        focus();
      },
    });
    const finder = new Finder({
      bar: findBar,
      ask: (find, event, atNs, direction) =>
        asking.match({ directory, find, event, atNs, direction }),
      highlight: (find) => {
        scene.find(find);
      },
      goTo: (match) => {
        navigation.goTo(match);
      },
      announce: this.announce,
      selected: () => selection.event,
      atNs: () => scene.viewport.range.fromNs,
    });
    const marking = new Marking({
      predicted: scene.predicted,
      atNs: () => selection.box?.startNs ?? scene.viewport.middleNs,
      show: (range) => {
        navigation.zoomTo(range);
      },
      goTo: (ns) => {
        scene.viewport.centre(ns);
      },
      announce: this.announce,
      changed: scene.changed,
    });
    const pointing = new Pointing(scene, this.tooltip, this.describe);
    this.parts = {
      scene,
      selection,
      navigation,
      area,
      finder,
      findBar,
      marking,
      pointing,
      open: this.open,
    };
    this.minimap = new Minimap(scene.viewport.bounds, CANVAS_ID, {
      centre: (ns) => {
        scene.viewport.centre(ns);
      },
      pan: (screens) => {
        scene.viewport.panBy(screens);
      },
    });
    void this.drawMinimap();
    this.build(pane, areaPane);
    this.themeChanges = new MutationObserver(this.useTheme);
    this.themeChanges.observe(page, { attributeFilter: ["class"] });
    this.themeChanges.observe(document.documentElement, { attributeFilter: ["style"] });
    this.useTheme();
    if (saved === undefined) this.showSteps();
    else this.restore(saved);
  }

  get directory(): string {
    return this.timeline.directory;
  }

  /** Zooms to a line's device time and selects the event there. */
  goTo(place: LineOnTimeline): void {
    const { scene, navigation } = this.parts;
    const { event, fromNs, toNs } = place;
    scene.viewport.glideTo(place);
    navigation.goTo({ event, startNs: fromNs, durationNs: toNs - fromNs });
    scene.stage.canvas.focus();
  }

  dispose(): void {
    clearTimeout(this.saveTimer);
    this.parts.finder.dispose();
    this.save();
    this.themeChanges.disconnect();
    this.parts.scene.dispose();
  }

  private build(pane: DetailsPane, areaPane: AreaPane): void {
    const { scene, navigation, findBar, marking } = this.parts;
    const { stage, viewport } = scene;
    stage.canvas.id = CANVAS_ID;
    this.live.setAttribute("aria-live", "polite");
    const quality = qualityReport(this.timeline.quality);
    const popovers = [
      marking.list.popover,
      ...(quality === undefined ? [] : [quality]),
      this.help.popover,
    ];
    const copy = button(
      "⧉",
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
    const beside = [this.status.root, ...popovers.map(({ root }) => root), pane.root];
    const main = element("main", "main", stage.root, ...beside, areaPane.root);
    this.page.replaceChildren(top, this.minimap.root, main, this.tooltip.root, this.live);
    listenToPointer(stage.canvas, pointerActions(this.parts));
    listenToKeys(stage.canvas, keyActions(this.parts));
  }

  private async drawMinimap(): Promise<void> {
    const { fromNs, toNs } = this.parts.scene.viewport.bounds;
    const kinds = new Set(this.timeline.tracks.map(({ kind }) => kind));
    const groups = [...kinds].map((kind) =>
      this.timeline.tracks.filter((track) => track.kind === kind).map(({ track }) => track),
    );
    try {
      const { directory } = this;
      const range = { fromNs: Math.floor(fromNs), toNs: Math.ceil(toNs) };
      const asked = { directory, ...range, width: MINIMAP_PX, groups };
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

  /** Goes to the source from a source line; zooms to anything else. */
  private readonly open = (): void => {
    const { scene, selection, navigation } = this.parts;
    const found = selection.locate(scene.pieces);
    const category = found === undefined ? undefined : at(found.spans.category, found.span);
    if (category !== undefined && this.timeline.categories[category] === SOURCE_LINE) {
      void selection.openSource();
    } else {
      navigation.zoomToSelection();
    }
  };

  private readonly announce = (text: string): void => {
    this.live.textContent = text;
  };

  private readonly describe = ({ spans, span }: Found): Description => {
    const number = at(spans.track, span);
    const track = this.timeline.tracks.find((other) => other.track === number);
    return describe(spans, span, track?.name ?? "", this.parts.scene.predicted);
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
    marking.set(saved.markers ?? []);
    if (saved.find !== undefined && saved.find !== "") {
      findBar.text = saved.find;
      finder.look(saved.find);
    }
  }
}
