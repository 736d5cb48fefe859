import { expect, test } from "./support/fixtures";

test("a Python file opens and the extension is there", async ({ workspace, open }) => {
  workspace.write("plain.py", "print('hello')\n");
  const editor = await open({ file: "plain.py" });
  await expect(editor.line("print('hello')")).toBeVisible();
  await editor.palette("Sidelight: Show Timeline");
  await expect(
    editor.timeline.frame.getByRole("heading", { name: "No timeline yet" }),
  ).toBeVisible();
});
