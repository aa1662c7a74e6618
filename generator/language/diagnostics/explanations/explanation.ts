/** What `ridlkit explain` and the page of codes say of one code. */
export interface Explanation {
  /** The law in one sentence. */
  readonly rule: string;
  /** Why it is one: what would go wrong otherwise. */
  readonly reason: string;
  /** Gives this code when it is run. */
  readonly bad: Example;
  /** The same without the fault: `ridlkit lint --strict` has nothing to say of it. */
  readonly good: Example;
}

/** The lines of a schema in RIDL below its header lines; or whole files, the first of which is linted if no commands are given. */
export type Example =
  | readonly string[]
  | {
      readonly files: Readonly<Record<string, readonly string[]>>;
      /** For a POSIX shell, in a folder that holds the files. */
      readonly commands?: readonly string[];
    };

/** One for each code of an area. */
export type Explanations<Name extends string> = Readonly<Record<Name, Explanation>>;

/** The lines that stand above a schema which is shown without them. */
export const headerLines: readonly string[] = [
  "webrpc = v1",
  "name = shop",
  "version = v1.0.0",
  "basepath = /rpc",
  "",
];
