import type { SourceReader } from "../../language/source/reader.ts";
import type { ExitCode, Result } from "./command-error.ts";
import type { Schema } from "./config/schemas.ts";
import type { CommonValues, OptionTable, Values } from "./options.ts";
import type { Report } from "./output/report.ts";
import type { JsonStream } from "./output/terminal.ts";
import type { ProcessContext, Terminal } from "./process-context.ts";

/** A command of ridlkit. `run.ts` parses its options and handles all errors before `run` is called. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** Follows the name in the usage line. */
  readonly usage: string;
  /** Paragraphs of the help page, wrapped at 100 columns. */
  readonly description: string;
  /** Options in addition to `commonOptions`. */
  readonly options: Table;
  /** Pairs of options that cannot be combined. */
  readonly exclusiveOptions?: readonly (readonly [keyof Table & string, keyof Table & string])[];
  /** `true` for a command on a single schema. */
  readonly takesOneSchema?: true;
  /** `false` for a command that reads its arguments itself. Then no configuration is read, and `schemas` is empty. */
  readonly readsSchemas?: false;
  /**
   * `true` if the positionals are names in the schema instead of files. The schemas then come from the option `schema`, if the
   * command has it, and otherwise from the configuration.
   */
  readonly takesNames?: true;
  /** `false` for a command that takes options only. */
  readonly takesArguments?: false;
  /** `true` for a command that can do without a schema: `schemas` is empty if there is neither a file nor a configuration. */
  readonly mayLackSchema?: true;
  /** `true` for a command on a single schema that selects the only schema with "handlers" among several. */
  readonly prefersHandlers?: true;
  /** The stream of JSON output. */
  readonly jsonStream: JsonStream;
  /** `true` if the client of the process ends it, as an editor ends the language server. */
  readonly endsWithClient?: true;
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  run(call: CommandCall<Table>): ExitCode | Promise<ExitCode>;
}

/** A command whose code is not loaded yet. */
export interface LazyCommand {
  readonly name: string;
  /** A line for the list of commands, starting with a verb. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The input of a command's `run`. */
export interface CommandCall<Table extends OptionTable = OptionTable> {
  readonly options: Values<Table> & CommonValues;
  /** At least one schema; exactly one if `takesOneSchema`. */
  readonly schemas: readonly Schema[];
  /** The arguments after the command that are not options. */
  readonly positionals: readonly string[];
  readonly reader: SourceReader;
  /** Reads the configuration again, for commands that watch files. */
  readonly reloadSchemas: () => Promise<Result<readonly Schema[]>>;
  readonly env: ProcessContext["env"];
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly report: Report;
  /** Prints why the command cannot run with these arguments, and where its help is. Returns the exit code. */
  readonly refuse: (message: string) => ExitCode;
}

/** Infers the types of `options` in `run` from the declared table. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return command as unknown as Command;
}
