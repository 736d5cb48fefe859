// What the features are built on. One object, made at activation and handed to each of them.

import * as vscode from "vscode";

import { Choices } from "./annotations/choices";
import { Interpreters } from "./python/interpreters";
import { ServerClient } from "./server/client";
import { ServerEnvironment } from "./server/environment";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** The language server: what Sidelight knows is asked there. */
  readonly server: ServerClient;
  /** What a person chose to see: whoever shows a profile does it by this. */
  readonly choices: Choices;
  /** Where the server's own Python comes from. */
  readonly environment: ServerEnvironment;
  /** Which Python runs the user's script. */
  readonly interpreters: Interpreters;
}

export function createServices(context: vscode.ExtensionContext): Services {
  const log = vscode.window.createOutputChannel("Sidelight", { log: true });
  const environment = new ServerEnvironment(context, log);
  const server = new ServerClient(log, environment);
  const choices = new Choices(server, log);
  context.subscriptions.push(log, environment, server, choices);
  return { context, log, server, choices, environment, interpreters: new Interpreters(log) };
}
