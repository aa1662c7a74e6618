import type { SourceReader } from "../../language/source/reader.ts";
import type { Schema } from "./config/schemas.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./host.ts";
import type { OptionTable, Values } from "./options.ts";
import type { Report } from "./output/report.ts";
import type { Attempt } from "./refusal.ts";

/** One command of ridlkit. Everything that goes wrong before it starts is the frame's affair: see run.ts. */
export interface Verb<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly says: string;
  /** What follows the verb in the usage line. */
  readonly usage: string;
  /** Paragraphs of its help, wrapped at 100 columns. */
  readonly about: string;
  /** Its own options, apart from those of every verb. */
  readonly options: Table;
  /** Pairs of options that exclude each other. */
  readonly exclusive: readonly (readonly [keyof Table & string, keyof Table & string])[];
  readonly several: boolean;
  /** `false` for a verb that works on words instead: then no configuration is looked for, and `schemas` is empty. */
  readonly readsSchemas?: false;
  /** `true` for a verb whose words are names in the schema and no files: the schemas are those of the configuration. */
  readonly takesNames?: true;
  /** `true` for a verb on one schema that, of several in the configuration, means the only one with "handlers". */
  readonly wantsHandlers?: true;
  /** Where its JSON document of findings goes: to standard error if standard output is for something else. */
  readonly documentOn: "out" | "err";
  /** `true` for a verb whose process ends when whom it speaks with says so. */
  readonly isEndedByOthers?: true;
  readonly examples: readonly { readonly command: string; readonly says: string }[];
  run(call: Call<Table>): ExitCode | Promise<ExitCode>;
}

/** A verb by its name, before its code is loaded. */
export interface LazyVerb {
  readonly name: string;
  readonly load: () => Promise<Verb>;
}

/** What a verb is run with. */
export interface Call<Table extends OptionTable = OptionTable> {
  readonly options: Values<Table>;
  /** At least one; just one unless the verb takes several. */
  readonly schemas: readonly Schema[];
  /** What stands behind the verb and is no option. */
  readonly words: readonly string[];
  readonly reader: SourceReader;
  /** Reads the configuration again, for verbs that stay. */
  readonly readAgain: () => Promise<Attempt<readonly Schema[]>>;
  /** Absolute path of the directory that the command works in. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly report: Report;
}

/** Ties the options a verb declares to those it is run with. */
export function defineVerb<const Table extends OptionTable>(verb: Verb<Table>): Verb {
  return verb as unknown as Verb;
}
