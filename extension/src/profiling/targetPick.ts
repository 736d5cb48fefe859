// What a script is profiled on where there is no chip: asked once, and kept in the settings.

import * as vscode from "vscode";

import { type TargetWithoutChip, setTargetWithoutChip } from "../settings";

interface TargetItem extends vscode.QuickPickItem {
  readonly target: TargetWithoutChip;
}

const ITEMS: readonly TargetItem[] = [
  {
    target: "virtual",
    label: "Virtual device",
    description: "predicted ≈",
    detail: "The CPU computes what the device neuron would. Device times are predicted.",
  },
  {
    target: "fake",
    label: "Fake tensors",
    description: "predicted ≈",
    detail: "Nothing is computed, so that large models fit. Device times are predicted.",
  },
  {
    target: "cpu",
    label: "CPU",
    description: "measured",
    detail: "The script runs on the CPU, and its own times are shown.",
  },
];

/** The target that was picked, now known for the next time; undefined where the pick was left. */
export async function pickTargetWithoutChip(
  script: vscode.Uri,
): Promise<TargetWithoutChip | undefined> {
  const picked = await vscode.window.showQuickPick(ITEMS, {
    title: "This machine has no Trainium chip",
    placeHolder: "Profile on … (kept in the setting sidelight.profile.targetWithoutChip)",
    ignoreFocusOut: true,
  });
  if (picked !== undefined) await setTargetWithoutChip(script, picked.target);
  return picked?.target;
}
