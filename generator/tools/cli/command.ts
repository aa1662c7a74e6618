import type { SourceReader } from "../../language/source/reader.ts";
import type { Result } from "./command-error.ts";
import type { Schema } from "./config/schemas.ts";
import type { ExitCode } from "./exit-code.ts";
import type { OptionTable, Values } from "./options.ts";
import type { Report } from "./output/report.ts";
import type { Terminal } from "./process-context.ts";

/** One command of ridlkit. Everything that goes wrong before it starts is the frame's affair: see run.ts. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the command in the usage line. */
  readonly usage: string;
  /** Paragraphs of its help, wrapped at 100 columns. */
  readonly description: string;
  /** Its own options, apart from those of every command. */
  readonly options: Table;
  /** Pairs of options that exclude each other. */
  readonly exclusiveOptions: readonly (readonly [keyof Table & string, keyof Table & string])[];
  readonly takesSeveralSchemas: boolean;
  /** `false` for a command that works on words instead: then no configuration is looked for, and `schemas` is empty. */
  readonly readsSchemas?: false;
  /** `true` for a command whose words are names in the schema and no files: the schemas are those of the configuration. */
  readonly takesNames?: true;
  /** `true` for a command on one schema that, of several in the configuration, means the only one with "handlers". */
  readonly prefersHandlers?: true;
  /** Where its JSON document of findings goes: to standard error if standard output is for something else. */
  readonly jsonStream: "out" | "err";
  /** `true` for a command whose process ends when whom it speaks with says so. */
  readonly endsWithClient?: true;
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  run(call: CommandCall<Table>): ExitCode | Promise<ExitCode>;
}

/** A command by its name, before its code is loaded. */
export interface LazyCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}

/** What a command is run with. */
export interface CommandCall<Table extends OptionTable = OptionTable> {
  readonly options: Values<Table>;
  /** At least one; just one unless the command takes several. */
  readonly schemas: readonly Schema[];
  /** What stands behind the command and is no option. */
  readonly positionals: readonly string[];
  readonly reader: SourceReader;
  /** Reads the configuration again, for commands that stay. */
  readonly reloadSchemas: () => Promise<Result<readonly Schema[]>>;
  /** Absolute path of the directory that the command works in. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly report: Report;
}

/** Ties the options a command declares to those it is run with. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return command as unknown as Command;
}
