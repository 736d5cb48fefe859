// What pointers and keys do to the parts of a view.

import type { KeyActions } from "./input/keyboard";
import type { Point, PointerActions } from "./input/pointer";
import type { ViewParts } from "./parts";

export function pointerActions(parts: ViewParts): PointerActions {
  const { scene, selection, navigation, area, pointing } = parts;
  const { stage, viewport } = scene;
  const corner = ({ x, y }: Point) => ({ ns: scene.placeAt(x, y).ns, y: scene.layoutY(y) });
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
    area: (from, to) => {
      area.draw(corner(from), corner(to));
    },
    areaDone: () => {
      area.finish();
    },
    hover: (x, y) => {
      pointing.at(x, y);
    },
    leave: pointing.leave,
    click: (x, y, isWithKey) => {
      pointing.leave();
      parts.quantities.leave();
      area.clear();
      const found = scene.spanAt(x, y);
      if (found === undefined) {
        navigation.clear();
      } else {
        navigation.select(found);
        if (isWithKey) void selection.openSource();
      }
    },
    doubleClick: parts.open,
  };
}

export function keyActions(parts: ViewParts): KeyActions {
  const { scene, selection, navigation, area, finder, findBar, marking, pointing, quantities } =
    parts;
  const { viewport } = scene;
  return {
    press: (key) => {
      pointing.leave();
      viewport.press(key);
    },
    release: (key) => {
      viewport.release(key);
    },
    releaseAll: () => {
      viewport.stop();
    },
    select: (direction, isGrowing) => {
      if (quantities.step(direction)) return;
      const from = selection.box;
      navigation.step(direction);
      const to = selection.box;
      if (isGrowing && from !== undefined && to !== undefined) area.growTo(from, to);
    },
    focusSelection: () => {
      if (area.box === undefined) navigation.zoomToSelection();
      else navigation.zoomTo(area.box);
    },
    fit: () => {
      navigation.fit();
    },
    goToStart: () => {
      viewport.panBy(-Infinity);
    },
    goToEnd: () => {
      viewport.panBy(Infinity);
    },
    openSource: () => {
      void selection.openSource();
    },
    sumUpView: () => {
      area.take(viewport.range);
    },
    find: () => {
      findBar.focus();
    },
    nextMatch: () => {
      finder.next();
    },
    previousMatch: () => {
      finder.previous();
    },
    mark: marking.add,
    toCause: () => {
      void navigation.walk("causes");
    },
    toEffect: () => {
      void navigation.walk("effects");
    },
    clear: () => {
      if (area.box !== undefined) {
        area.clear();
        return;
      }
      quantities.leave();
      navigation.clear();
      finder.leaveLine();
    },
  };
}
