/** The extension, as a page sees it. */
export interface Host<FromPage, ToPage> {
  post(message: FromPage): void;
  /** Calls back with every message from the extension. */
  listen(handler: (message: ToPage) => void): void;
  /** What `writeState` was last given, also by an earlier page in this place. */
  readState(): unknown;
  writeState(state: unknown): void;
}

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The editor's own; may be called once a page. */
export function editorHost<FromPage, ToPage>(): Host<FromPage, ToPage> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => {
      api.postMessage(message);
    },
    listen: (handler) => {
      window.addEventListener("message", (event: MessageEvent<ToPage>) => {
        handler(event.data);
      });
    },
    readState: () => api.getState(),
    writeState: (state) => {
      api.setState(state);
    },
  };
}
