// A profile's timeline: joins the scene, the parts of the page beside it, and the inputs.

import type { LineOnTimeline, Timeline } from "../../src/protocol";
import type { Asking } from "./asking";
import { type KeyActions, listenToKeys } from "./input/keyboard";
import { listenToPointer, type PointerActions } from "./input/pointer";
import { describe, type Description } from "./model/described";
import type { Found } from "./model/finding";
import { SOURCE_LINE } from "./model/palette";
import { around } from "./model/range";
import type { SavedView } from "./model/savedViews";
import { at } from "./model/spans";
import { Navigation } from "./navigation";
import type { Box } from "./render/renderer";
import { Scene } from "./scene";
import { boxOf, Selection } from "./selection";
import { type SourceHost, SourceLinks } from "./sourceLinks";
import { DetailsPane } from "./view/details";
import { element } from "./view/dom";
import { header } from "./view/header";
import { Help } from "./view/help";
import { qualityReport } from "./view/quality";
import { Status } from "./view/status";
import { Tooltip } from "./view/tooltip";

const BUTTON_ZOOM = 2;
const SAVE_AFTER_MS = 250;

/** What the view needs from around it. */
export interface Surroundings extends SourceHost {
  readonly asking: Asking;
  readonly save: (view: SavedView) => void;
}

export class TimelineView {
  private readonly scene: Scene;
  private readonly selection: Selection;
  private readonly navigation: Navigation;
  private readonly help = new Help();
  private readonly tooltip = new Tooltip();
  private readonly live = element("div", "live");
  private readonly status: Status;
  private readonly themeChanges: MutationObserver;
  private hovered: Box | undefined;
  /** The selected event was gone to, and its row is not in view yet. */
  private isArriving = false;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly page: HTMLElement,
    private readonly timeline: Timeline,
    saved: SavedView | undefined,
    private readonly surroundings: Surroundings,
  ) {
    this.scene = new Scene(timeline, saved?.collapsed ?? [], surroundings.asking, {
      outlines: (pieces) => {
        this.selection.locate(pieces);
        this.arrive();
        return { selected: this.selection.box, hovered: this.hovered };
      },
      drawn: this.drawn,
    });
    this.status = new Status(() => {
      this.scene.loader.retry();
    });
    const links = new SourceLinks(surroundings);
    const pane = new DetailsPane(links, () => {
      this.clear();
      // The button that had the keyboard is gone.
      this.scene.stage.canvas.focus();
    });
    this.selection = new Selection({
      pane,
      askDetails: (event) => surroundings.asking.details({ directory: this.directory, event }),
      describe: this.describe,
      announce: (text) => {
        this.live.textContent = text;
      },
      links,
    });
    this.navigation = new Navigation(this.scene, this.selection);
    this.build(pane);
    this.themeChanges = new MutationObserver(this.useTheme);
    this.themeChanges.observe(page, { attributeFilter: ["class"] });
    this.themeChanges.observe(document.documentElement, { attributeFilter: ["style"] });
    this.useTheme();
    if (saved === undefined) {
      this.showSteps();
    } else {
      this.restore(saved);
    }
  }

  get directory(): string {
    return this.timeline.directory;
  }

  /** Zooms to a line's device time and selects the event there. */
  goTo(place: LineOnTimeline): void {
    this.scene.viewport.glideTo(place);
    this.selection.selectEvent(place.event);
    this.isArriving = true;
    this.scene.flash();
    this.scene.stage.canvas.focus();
  }

  dispose(): void {
    clearTimeout(this.saveTimer);
    this.save();
    this.themeChanges.disconnect();
    this.scene.dispose();
  }

  private build(pane: DetailsPane): void {
    const { stage, viewport } = this.scene;
    this.live.setAttribute("aria-live", "polite");
    const quality = qualityReport(this.timeline.quality);
    const popovers = [...(quality === undefined ? [] : [quality]), this.help.popover];
    const top = header(this.timeline, {
      zoomIn: () => {
        viewport.glideZoom(1 / BUTTON_ZOOM);
      },
      zoomOut: () => {
        viewport.glideZoom(BUTTON_ZOOM);
      },
      fit: this.fit,
      openers: popovers.map(({ opener }) => opener),
    });
    const parts = [this.status.root, ...popovers.map(({ root }) => root), pane.root];
    const main = element("main", "main", stage.root, ...parts);
    this.page.replaceChildren(top, main, this.tooltip.root, this.live);
    listenToPointer(stage.canvas, this.pointerActions());
    listenToKeys(stage.canvas, this.keyActions());
  }

  private pointerActions(): PointerActions {
    const { stage, viewport } = this.scene;
    return {
      zoomAt: (factor, x) => {
        viewport.zoomAt(factor, x / stage.widthPx);
      },
      panBy: (px) => {
        viewport.panBy(px / stage.widthPx);
      },
      scrollBy: (px) => {
        stage.scrollTop += px;
      },
      grab: () => {
        viewport.stop();
      },
      hover: (x, y) => {
        this.hover(x, y);
      },
      leave: this.leave,
      click: (x, y, isWithKey) => {
        this.leave();
        const found = this.scene.spanAt(x, y);
        if (found === undefined) {
          this.clear();
        } else {
          this.navigation.select(found);
          if (isWithKey) void this.selection.openSource();
        }
      },
      doubleClick: () => {
        this.open();
      },
    };
  }

  private keyActions(): KeyActions {
    const { viewport } = this.scene;
    return {
      press: (key) => {
        this.leave();
        viewport.press(key);
      },
      release: (key) => {
        viewport.release(key);
      },
      releaseAll: () => {
        viewport.stop();
      },
      select: (direction) => {
        this.navigation.step(direction);
      },
      focusSelection: () => {
        this.navigation.zoomToSelection();
      },
      fit: this.fit,
      goToStart: () => {
        viewport.panBy(-Number.MAX_SAFE_INTEGER);
      },
      goToEnd: () => {
        viewport.panBy(Number.MAX_SAFE_INTEGER);
      },
      openSource: () => {
        void this.selection.openSource();
      },
      clear: this.clear,
    };
  }

  private hover(x: number, y: number): void {
    const found = this.scene.spanAt(x, y);
    if (found === undefined) {
      this.leave();
      return;
    }
    const { left, top } = this.scene.stage.canvas.getBoundingClientRect();
    this.tooltip.show(this.describe(found), left + x, top + y);
    this.hovered = boxOf(found);
    this.scene.changed();
  }

  private readonly leave = (): void => {
    this.tooltip.hide();
    this.hovered = undefined;
    this.scene.changed();
  };

  private arrive(): void {
    const { box } = this.selection;
    if (this.isArriving && box !== undefined) {
      this.isArriving = false;
      this.scene.bringIntoView(box);
    }
  }

  /** What the numbers are of: not the imports and the warm-up before it. */
  private showSteps(): void {
    const [first, last] = [this.timeline.steps[0], this.timeline.steps.at(-1)];
    if (first !== undefined && last !== undefined) {
      const { viewport } = this.scene;
      viewport.jumpTo(around(first.startNs, last.endNs, viewport.bounds));
    }
  }

  /** Goes to the source from a source line; zooms to anything else. */
  private open(): void {
    const found = this.selection.locate(this.scene.pieces);
    const category = found === undefined ? undefined : at(found.spans.category, found.span);
    if (category !== undefined && this.timeline.categories[category] === SOURCE_LINE) {
      void this.selection.openSource();
    } else {
      this.navigation.zoomToSelection();
    }
  }

  private readonly clear = (): void => {
    this.navigation.clear();
  };

  private readonly fit = (): void => {
    this.navigation.fit();
  };

  private readonly describe = ({ spans, span }: Found): Description => {
    const number = at(spans.track, span);
    const track = this.timeline.tracks.find((other) => other.track === number);
    return describe(spans, span, track?.name ?? "", this.scene.predicted);
  };

  private readonly useTheme = (): void => {
    const palette = this.scene.useTheme(this.page);
    this.help.show(
      this.timeline.categories.map((text, category) => ({
        colour: palette.swatch(category),
        text,
      })),
    );
  };

  private readonly drawn = (): void => {
    const { loader, pieces, viewport } = this.scene;
    this.status.show(loader.problem, pieces.length === 0);
    if (!viewport.isMoving) {
      clearTimeout(this.saveTimer);
      this.saveTimer = setTimeout(this.save, SAVE_AFTER_MS);
    }
  };

  private readonly save = (): void => {
    const { viewport, stage, collapsed } = this.scene;
    this.surroundings.save({
      ...viewport.range,
      scrollTop: stage.scrollTop,
      event: this.selection.event ?? null,
      collapsed: [...collapsed],
    });
  };

  private restore(saved: SavedView): void {
    this.scene.viewport.jumpTo(saved);
    this.scene.stage.scrollTop = saved.scrollTop;
    if (saved.event !== null) {
      this.selection.selectEvent(saved.event);
    }
  }
}
