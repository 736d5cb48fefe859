// The parts of a view that people act on, and what they are to one another.

import type { Timeline } from "../../src/protocol";
import { AreaSelection } from "./areaSelection";
import { Finder } from "./finder";
import { Marking } from "./marking";
import { describe as describeSpan, type Description } from "./model/described";
import type { Found } from "./model/finding";
import { SOURCE_LINE } from "./model/palette";
import type { SavedView } from "./model/savedViews";
import { at } from "./model/spans";
import { Navigation } from "./navigation";
import { Pointing } from "./pointing";
import { Quantities } from "./quantities";
import { Scene } from "./scene";
import { Selection } from "./selection";
import { SourceLinks } from "./sourceLinks";
import type { Surroundings } from "./timelineView";
import { AreaPane } from "./view/areaPane";
import { DetailsPane } from "./view/details";
import { FindBar } from "./view/findBar";
import type { Tooltip } from "../page/tooltip";

export interface ViewParts {
  readonly scene: Scene;
  readonly selection: Selection;
  readonly navigation: Navigation;
  readonly area: AreaSelection;
  readonly finder: Finder;
  readonly findBar: FindBar;
  readonly marking: Marking;
  readonly pointing: Pointing;
  readonly quantities: Quantities;
  /** What stands beside the tracks. */
  readonly panes: readonly [DetailsPane, AreaPane];
  /** Goes to the source from a source line; zooms to anything else. */
  readonly open: () => void;
}

/** What the parts need from the page. */
export interface PartsContext {
  readonly timeline: Timeline;
  readonly saved: SavedView | undefined;
  readonly surroundings: Surroundings;
  readonly tooltip: Tooltip;
  readonly announce: (text: string) => void;
  /** A frame was drawn. */
  readonly drawn: () => void;
}

export function makeParts(context: PartsContext): ViewParts {
  const { timeline, saved, surroundings, tooltip, announce } = context;
  const { directory, tracks, categories } = timeline;
  const { asking } = surroundings;
  const scene: Scene = new Scene(timeline, saved, asking, {
    marks: (pieces) => {
      selection.locate(pieces);
      navigation.arrive();
      const { box: selected, links } = selection;
      const { markers } = marking;
      const { hovered } = pointing;
      return { selected, hovered, area: area.box, markers, links, moment: quantities.moment };
    },
    drawn: context.drawn,
  });
  const describe = ({ spans, span }: Found): Description => {
    const number = at(spans.track, span);
    const track = tracks.find((other) => other.track === number);
    return describeSpan(spans, span, track?.name ?? "", scene.predicted);
  };
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
  const selection: Selection = new Selection({
    pane,
    askDetails: (event) => asking.details({ directory, event }),
    describe: describe,
    announce: announce,
    changed: scene.changed,
    links,
  });
  const navigation: Navigation = new Navigation(scene, selection);
  const quantities = new Quantities(scene, selection, announce, (found) => {
    navigation.select(found);
  });
  const areaPane = new AreaPane(timeline, () => {
    area.clear();
    focus();
  });
  const area = new AreaSelection({
    pane: areaPane,
    recorded: { fromNs: timeline.startNs, toNs: timeline.endNs },
    layout: () => scene.layout,
    ask: (range, tracks) => asking.area({ directory, ...range, tracks }),
    announce: announce,
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
    announce: announce,
    selected: () => selection.event,
    atNs: () => scene.viewport.range.fromNs,
  });
  const marking = new Marking({
    predicted: scene.predicted,
    atNs: () => selection.time?.startNs ?? scene.viewport.middleNs,
    show: (range) => {
      navigation.zoomTo(range);
    },
    goTo: (ns) => {
      scene.viewport.centre(ns);
    },
    keep: (change) => asking.markers({ directory, ...change }),
    announce: announce,
    changed: scene.changed,
  });
  const pointing = new Pointing(scene, tooltip, describe);
  const open = (): void => {
    const found = selection.locate(scene.pieces);
    const category = found === undefined ? undefined : at(found.spans.category, found.span);
    if (category !== undefined && categories[category] === SOURCE_LINE) {
      void selection.openSource();
    } else {
      navigation.zoomToSelection();
    }
  };
  return {
    ...{ scene, selection, navigation, area, finder, findBar, marking, pointing, quantities, open },
    panes: [pane, areaPane],
  };
}
