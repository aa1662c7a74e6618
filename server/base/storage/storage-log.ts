/** What the database's operator should know: what is a change only, and what is wrong. */
export interface StorageLog {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly error: (line: string) => void;
}
