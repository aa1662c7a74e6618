import { type Result, usageError } from "./command-error.ts";
import { booleanTexts, expectedFormats, type Format, optionParsers } from "./options.ts";

/** The surroundings of a command, which tests can replace. */
export interface ProcessContext {
  /** Absolute path. `--cwd` is relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** `0.1.0`, or `dev` if run from source. */
  readonly version: string;
  /** Called if the process may end before the command returns. */
  readonly allowEarlyExit?: () => void;
}

/** Standard output carries results, standard error diagnostics and progress. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Writes to standard output. Resolves when the chunk is written; to false if the reader of the output is gone. */
  write(chunk: string | Uint8Array): Promise<boolean>;
  readonly outIsTerminal: boolean;
  /** Whether standard error is a terminal. */
  readonly errIsTerminal: boolean;
  /** Width of the terminal in columns. Absent without a terminal, or if it is not known. */
  readonly columns?: number | undefined;
  /** Asks a question on the terminal. Resolves to undefined if the input ends. Absent without a terminal. */
  ask?(question: string): Promise<string | undefined>;
}

/** The value of an environment variable. An empty variable counts as not set. */
export function environmentVariable(context: Pick<ProcessContext, "env">, name: string): string | undefined {
  return context.env[name] || undefined;
}

/** Settings from environment variables. Flags override them, and they override the configuration. */
export interface Environment {
  readonly config?: string | undefined;
  readonly format?: Format | undefined;
  readonly strict?: boolean | undefined;
  readonly schemaVersion?: string | undefined;
}

export function readEnvironment(context: ProcessContext): Result<Environment> {
  const format = environmentVariable(context, "RIDLKIT_FORMAT");
  const strict = environmentVariable(context, "RIDLKIT_STRICT");
  const environment = {
    config: environmentVariable(context, "RIDLKIT_CONFIG"),
    format: format === undefined ? undefined : optionParsers.format.parse(format),
    strict: strict === undefined ? undefined : booleanTexts.get(strict),
    schemaVersion: environmentVariable(context, "WEBRPC_SCHEMA_VERSION"),
  };
  if (format !== undefined && environment.format === undefined)
    return variableError("RIDLKIT_FORMAT", expectedFormats, format);
  if (strict !== undefined && environment.strict === undefined)
    return variableError("RIDLKIT_STRICT", "1 or 0", strict);
  return { value: environment };
}

function variableError(name: string, expected: string, found: string): Result<never> {
  return usageError(`The environment variable ${name} takes ${expected}; found "${found}".`);
}
