/** What a workspace remembers: the part of the editor's state that is used here. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}
