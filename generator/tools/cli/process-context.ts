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
export function environmentVariable(host: Pick<ProcessContext, "env">, name: string): string | undefined {
  return host.env[name] || undefined;
}
