// What the features are built on. One object, made at activation and handed to each of them.

import * as vscode from "vscode";

import { Interpreters } from "./python/interpreters";
import { ServerClient } from "./server/client";
import { ServerEnvironment } from "./server/environment";

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** The language server: what Sidelight knows is asked there. */
  readonly server: ServerClient;
  /** Where the server's own Python comes from. */
  readonly environment: ServerEnvironment;
  /** Which Python runs the user's script. */
  readonly interpreters: Interpreters;
}

export function createServices(context: vscode.ExtensionContext): Services {
  const log = vscode.window.createOutputChannel("Sidelight", { log: true });
  const environment = new ServerEnvironment(context, log);
  const server = new ServerClient(log, environment);
  context.subscriptions.push(log, environment, server);
  return { context, log, server, environment, interpreters: new Interpreters(log) };
}
