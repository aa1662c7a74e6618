/** The explanation of one code, as `ridlkit explain` and docs/codes.md show it. */
export interface Explanation {
  /** The rule in one sentence. */
  readonly rule: string;
  /** Why the rule exists: what would go wrong otherwise. */
  readonly reason: string;
  /** An example for which ridlkit reports this code. */
  readonly bad: Example;
  /** The corrected example: `ridlkit lint --strict` reports nothing. */
  readonly good: Example;
}

/** Lines of RIDL without the header lines, or complete files. Without commands, the first file is linted. */
export type Example =
  | readonly string[]
  | {
      readonly files: Readonly<Record<string, readonly string[]>>;
      /** For a POSIX shell, in the folder of the files. */
      readonly commands?: readonly string[];
    };

export type Explanations<Name extends string> = Readonly<Record<Name, Explanation>>;

/** The header lines that examples leave out. */
export const headerLines: readonly string[] = [
  "webrpc = v1",
  "name = shop",
  "version = v1.0.0",
  "basepath = /rpc",
  "",
];
