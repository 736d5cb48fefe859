// What a person sees and does in the editor, in the words of this suite.

import * as path from "node:path";

import { type Locator, type Page, expect } from "@playwright/test";

import { AnalysisPage } from "./analysisPage";
import { TimelinePage } from "./timelinePage";

export class Editor {
  readonly analysis: AnalysisPage;
  readonly timeline: TimelinePage;

  constructor(readonly page: Page) {
    this.analysis = new AnalysisPage(page);
    this.timeline = new TimelinePage(page);
  }

  /** The keys' modifier that the editor takes in this browser. */
  readonly modifier = process.platform === "darwin" ? ("Meta" as const) : ("Control" as const);

  /** Runs a command by its title, from the command palette. */
  async palette(title: string): Promise<void> {
    // A palette that opens before the extension's commands are known does not list them later.
    await expect(async () => {
      await this.page.keyboard.press("Escape");
      await this.searchPalette(title);
      await expect(this.focusedPickRow(title)).toBeVisible({ timeout: 10_000 });
    }).toPass();
    // Not a click: the palette draws its rows anew when more matches arrive, and a click that meets
    // that moment closes it and runs nothing.
    await this.page.keyboard.press("Enter");
  }

  /** Opens the command palette and types into it. */
  async searchPalette(text: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input.input").fill(`>${text}`);
    await expect(this.quickPickRow("").first()).toBeVisible();
  }

  /** Gives the panel all the room, or takes it back. */
  async maximizePanel(isMaximized: boolean): Promise<void> {
    const title = this.page.locator(".part.panel .title");
    const [before, after] = isMaximized ? ["Maximize", "Restore"] : ["Restore", "Maximize"];
    await title.getByRole("button", { name: new RegExp(`^${before} Panel`) }).click();
    await expect(title.getByRole("button", { name: new RegExp(`^${after} Panel`) })).toBeVisible();
  }

  /** Rows of the quick pick that is open. */
  quickPickRow(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text });
  }

  /** The row of the quick pick that Enter would take, if it is one with this text. */
  private focusedPickRow(text: string): Locator {
    return this.page
      .locator(".quick-input-list .monaco-list-row.focused")
      .filter({ hasText: text });
  }

  /** Waits until the editor knows the extension: a moment after it is there itself. */
  async extensionIsThere(): Promise<void> {
    const item = this.page.locator('.activitybar a[aria-label^="Sidelight"]');
    await expect(item.first()).toBeVisible();
  }

  /** A notification. */
  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast").filter({ hasText: text });
  }

  /** A button of a notification or a dialog. */
  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** The item of the status bar with this text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".statusbar-item").filter({ hasText: text });
  }

  /** The line of the editor in front that holds this text. */
  line(text: string): Locator {
    return this.page.locator(".editor-instance .view-line").filter({ hasText: spaced(text) });
  }

  /** The inlay hints that stand behind the line with this text, as one text. */
  async hint(text: string): Promise<string> {
    const whole = plain(await this.line(text).first().innerText());
    return whole.slice(whole.indexOf(text) + text.length).trim();
  }

  /** The texts above functions and classes. */
  lenses(): Locator {
    return this.page.locator(".editor-instance .codelens-decoration");
  }

  /** Whether an extension has drawn the background or the border of a line. */
  async isDecorated(text: string): Promise<boolean> {
    const line = await this.line(text).first().boundingBox();
    const decorations = this.page.locator(
      '.editor-instance .view-overlays [class*="TextEditorDecorationType"]',
    );
    const boxes = await decorations.evaluateAll((elements) =>
      elements.map((element) => element.getBoundingClientRect().top),
    );
    return line !== null && boxes.some((top) => Math.abs(top - line.y) < 2);
  }

  /** What the terminal in front says. */
  terminal(): Locator {
    return this.page.locator(".terminal-wrapper.active .xterm-rows");
  }

  /** Puts the mouse on a word of a line and waits for the hover that it brings. */
  async hover(lineText: string, word: string): Promise<Locator> {
    const token = this.line(lineText).first().locator("span span").filter({ hasText: word });
    // The editor's own: buttons and tabs have hovers too.
    const hover = this.page.locator(".monaco-resizable-hover .monaco-hover:not(.hidden)");
    await expect(async () => {
      await this.page.mouse.move(1300, 800);
      await token.first().hover();
      await expect(hover).toBeVisible({ timeout: 10_000 });
    }).toPass();
    return hover;
  }

  /** Puts the cursor at the end of a line. */
  async clickEndOf(text: string): Promise<void> {
    await this.line(text).first().click();
    await this.page.keyboard.press("End");
  }

  /** Opens another file of the folder by its name or path. */
  async openFile(file: string): Promise<void> {
    const name = path.basename(file);
    await this.page.keyboard.press(`${this.modifier}+P`);
    await this.page.locator(".quick-input-widget input.input").fill(file);
    // Of files with one name the row's description tells the folder.
    const folder = file === name ? "" : path.dirname(file);
    await this.quickPickRow(name).filter({ hasText: folder }).first().click();
    await expect(this.tab(name).and(this.page.locator(".active"))).toBeVisible();
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator(".tab").filter({ hasText: name });
  }

  /** Shows a view container of the activity bar. */
  async openSideBar(title: string): Promise<void> {
    const item = this.page
      .locator(".activitybar .action-item")
      .filter({ has: this.page.locator(`a[aria-label^="${title}"]`) });
    // A click on the one that is shown would close it.
    if ((await item.getAttribute("aria-expanded")) !== "true") {
      await item.click();
    }
  }

  sideBar(): Locator {
    return this.page.locator(".part.sidebar");
  }

  /** Rows of the trees in the side bar. */
  treeRow(text: string | RegExp): Locator {
    return this.sideBar().locator(".monaco-list-row").filter({ hasText: text });
  }

  /** A file in the explorer, which is shown for it. */
  async explorerRow(name: string): Promise<Locator> {
    await this.openSideBar("Explorer");
    return this.treeRow(name);
  }

  /** Chooses an entry of something's context menu. */
  async contextMenu(owner: Locator, entry: RegExp): Promise<void> {
    await owner.click({ button: "right" });
    // Just after it opens, a menu takes no clicks; keys it takes at once.
    await this.page.getByRole("menuitem", { name: entry }).hover();
    await this.page.keyboard.press("Enter");
  }

  /** Writes something into the input box that is open, in place of what is there, and accepts it. */
  async fillInputBox(text: string): Promise<void> {
    await this.page.locator(".quick-input-widget input.input").fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses a file in the editor's own file dialog, by its path. */
  async chooseFile(file: string): Promise<void> {
    const box = this.page.locator(".quick-input-widget input.input");
    // The dialog writes the folder it lists into its box, over what was typed there before.
    await expect(this.quickPickRow(path.basename(file))).toBeVisible();
    await expect(box).toHaveValue(/[/\\]$/);
    await box.fill(file);
    await expect(box).toHaveValue(file);
    await this.page.keyboard.press("Enter");
  }

  /** Lets the page read and write the clipboard, as a person's browser does when it asks. */
  async allowClipboard(): Promise<void> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }

  /** What is on the clipboard. */
  async clipboard(): Promise<string> {
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Accepts the file that the editor's own dialog proposes to save to. */
  async saveTo(file: string): Promise<void> {
    await expect(this.page.locator(".quick-input-widget input.input")).toHaveValue(file);
    await this.page.keyboard.press("Enter");
  }

  /** Saves the file in front. */
  async save(): Promise<void> {
    await this.page.keyboard.press(`${this.modifier}+S`);
  }
}

/** The editor writes spaces as no-break spaces. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

function spaced(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(escaped.replaceAll(" ", "[ \u00a0]"));
}
