import type { SourceReader } from "../../language/source/reader.ts";
import type { Result } from "./command-error.ts";
import type { Schema } from "./config/schemas.ts";
import type { ExitCode } from "./exit-code.ts";
import type { OptionTable, Values } from "./options.ts";
import type { Report } from "./output/report.ts";
import type { Terminal } from "./process-context.ts";

/** One command of ridlkit. `run.ts` parses the arguments, loads the schemas and reports errors before `run` is called. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The part of the usage line after the command. */
  readonly usage: string;
  /** Paragraphs of the help page, wrapped at 100 columns. */
  readonly description: string;
  /** The command's own options, without `commonOptions`. */
  readonly options: Table;
  /** Pairs of options that exclude each other. */
  readonly exclusiveOptions: readonly (readonly [keyof Table & string, keyof Table & string])[];
  readonly takesSeveralSchemas: boolean;
  /** `false` skips the search for a configuration and leaves `schemas` empty. */
  readonly readsSchemas?: false;
  /** `true` if the positional arguments are names in the schema instead of files. The schemas then come from the configuration. */
  readonly takesNames?: true;
  /** `true` selects the schemas with "handlers" if the configuration has several schemas. */
  readonly prefersHandlers?: true;
  /** Stream of the JSON findings document: "err" if standard output carries the command's result. */
  readonly jsonStream: "out" | "err";
  /** `true` if the client may end the process at any time, as an editor ends a language server. */
  readonly endsWithClient?: true;
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  run(call: CommandCall<Table>): ExitCode | Promise<ExitCode>;
}

/** A command whose code is imported on demand. */
export interface LazyCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}

export interface CommandCall<Table extends OptionTable = OptionTable> {
  readonly options: Values<Table>;
  /** At least one if the command reads schemas; exactly one unless `takesSeveralSchemas`. */
  readonly schemas: readonly Schema[];
  /** Arguments after the command that are not options. */
  readonly positionals: readonly string[];
  readonly reader: SourceReader;
  /** Reads the configuration again, for commands that keep running. */
  readonly reloadSchemas: () => Promise<Result<readonly Schema[]>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly report: Report;
}

/** Infers the option types of `run` from the declared options. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return command as unknown as Command;
}
