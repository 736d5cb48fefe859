import { button, element } from "../../page/dom";
import { Popover } from "../../page/popover";

export type PictureFormat = "svg" | "png";

/** The ways to save what is seen. */
export function pictureMenu(save: (format: PictureFormat) => void): Popover {
  const way = (text: string, format: PictureFormat): HTMLElement =>
    button(text, "secondary", () => {
      save(format);
      // It has been chosen from, and lies over what is seen.
      menu.close();
    });
  const menu = new Popover(
    "Picture",
    "Save a picture of what is seen",
    "pictures",
    element("h2", "", "Save Picture"),
    element("div", "actions", way("SVG…", "svg"), way("PNG…", "png")),
  );
  return menu;
}
