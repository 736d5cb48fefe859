// Which of its source lines to go to, where an event on the timeline belongs to several.

import * as vscode from "vscode";

import { partText, placeName } from "../../webview/places";
import { visible } from "../../webview/visibleText";
import type { EventDetails, Place } from "../protocol";
import { withoutIcons } from "../views/profileText";

/** Asks a person for the line that is meant. @returns Undefined where nobody said. */
export async function choosePlace(details: EventDetails): Promise<Place | undefined> {
  const items = details.places.slice(0, details.owners).map((place) => ({
    label: withoutIcons(visible(placeName(place))),
    description: partText(place, details),
    detail: withoutIcons(visible(place.file)),
    place,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `Lines of ${visible(details.name)}`,
    placeHolder: "Choose the line to go to",
    matchOnDetail: true,
  });
  return picked?.place;
}
