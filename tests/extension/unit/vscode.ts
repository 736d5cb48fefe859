// A small stand-in for the editor's API, for unit tests: only what they need, and only where it
// behaves as the real one does. What takes a real editor is tested in one.

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
  }
}

type Listener<T> = (value: T) => void;

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Disposable {
  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }

  constructor(private readonly end: () => void) {}

  dispose(): void {
    this.end();
  }
}

export interface CancellationToken {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: EventEmitter<undefined>["event"];
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<undefined>();
  #isCancelled = false;
  readonly token: CancellationToken;

  constructor() {
    const isCancelled = (): boolean => this.#isCancelled;
    this.token = {
      get isCancellationRequested() {
        return isCancelled();
      },
      onCancellationRequested: this.#cancelled.event,
    };
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#cancelled.fire(undefined);
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export enum LanguageStatusSeverity {
  Information = 0,
  Warning = 1,
  Error = 2,
}

export const languages = {
  createLanguageStatusItem: () => ({ dispose: () => undefined }),
};

export const commands = {
  registerCommand: () => new Disposable(() => undefined),
};

/** For tests: what people were told, oldest first. */
export const told: string[] = [];

export const window = {
  showErrorMessage(message: string): Promise<undefined> {
    told.push(message);
    return Promise.resolve(undefined);
  },
  setStatusBarMessage: () => new Disposable(() => undefined),
};

/** A file's. */
export class Uri {
  private constructor(
    readonly scheme: string,
    readonly fsPath: string,
  ) {}

  static file(path: string): Uri {
    return new Uri("file", path);
  }

  toString(): string {
    return `${this.scheme}://${encodeURI(this.fsPath)}`;
  }
}

export enum ConfigurationTarget {
  Global = 1,
  Workspace = 2,
  WorkspaceFolder = 3,
}

export interface WorkspaceFolder {
  readonly uri: Uri;
  readonly name: string;
  readonly index: number;
}

const configured = new Map<string, unknown>();
const changed = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
let folders: readonly WorkspaceFolder[] | undefined;

/** For tests: what a person has set, by full name, and which folders are open. */
export function setWorkspace(
  settings: Readonly<Record<string, unknown>>,
  open: readonly string[] = [],
): void {
  configured.clear();
  for (const [name, value] of Object.entries(settings)) configured.set(name, value);
  folders = open.map((path, index) => ({ uri: Uri.file(path), name: path, index }));
  changed.fire({
    affectsConfiguration: (section) =>
      Object.keys(settings).some((name) => name === section || name.startsWith(`${section}.`)),
  });
}

export const workspace = {
  isTrusted: true,
  onDidChangeConfiguration: changed.event,
  get workspaceFolders(): readonly WorkspaceFolder[] | undefined {
    return folders;
  },
  getWorkspaceFolder(uri: Uri): WorkspaceFolder | undefined {
    return folders?.find((folder) => uri.fsPath.startsWith(`${folder.uri.fsPath}/`));
  },
  getConfiguration(section: string) {
    return {
      get<T>(name: string, otherwise: T): T {
        return (configured.get(`${section}.${name}`) as T | undefined) ?? otherwise;
      },
      update(name: string, value: unknown): Promise<void> {
        configured.set(`${section}.${name}`, value);
        return Promise.resolve();
      },
    };
  },
};
