/** One code of ridlkit: its message, and the explanation that `ridlkit explain`, SARIF output and docs/codes.md show. */
export interface CatalogEntry {
  /** Never changes: `RK` and three digits from the range of the area. */
  readonly code: string;
  /**
   * `error`: the reference rejects this too, or crashes, unless `referenceAccepts` is set. `warning`: the reference accepts this,
   * but it is wrong.
   */
  readonly severity: "error" | "warning";
  /**
   * An error that is a warning in the drop-in, which accepts what any release of webrpc-gen accepts: in a key that only ridlkit
   * reads, or in text that only older releases accept.
   */
  readonly referenceAccepts?: true;
  /** One sentence; `{name}` stands for a parameter. */
  readonly message: string;
  /** One sentence: what to do. Undefined if that differs from case to case. */
  readonly advice?: string;
  /** Replaces `message` and `advice` for YAML schemas, if these show RIDL syntax. */
  readonly inYaml?: { readonly message?: string; readonly advice?: string };
  /** The rule in one sentence. */
  readonly rule: string;
  /** Why the rule exists: what would go wrong otherwise. */
  readonly reason: string;
  /** A function, because only explanations show examples: commands that check a schema need not build them. */
  readonly examples: () => Examples;
}

export interface Examples {
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

/** The header lines that examples leave out. */
export const headerLines: readonly string[] = [
  "webrpc = v1",
  "name = shop",
  "version = v1.0.0",
  "basepath = /rpc",
  "",
];

/** Returns the lines of a schema, or all files, each below its name, followed by the commands. */
export function exampleLines(example: Example): readonly string[] {
  if (!("files" in example)) return example;
  const files = Object.entries(example.files).flatMap(([path, lines]) => [`# ${path}`, ...lines, ""]);
  const commands = (example.commands ?? []).map((command) => `$ ${command}`);
  return [...files, ...commands].join("\n").trimEnd().split("\n");
}
