/** The process environment of a command. Tests replace it. */
export interface ProcessContext {
  /** Absolute; `--cwd` is relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** `0.1.0`, or `dev` when run from source. */
  readonly version: string;
  /** Allows the process to end before the command is complete. */
  readonly allowEarlyExit?: () => void;
}

/** Results go to standard output; messages go to standard error. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly errIsTerminal: boolean;
  /** Asks the user. Returns undefined if the input ends. Absent if standard input is not a terminal. */
  ask?(question: string): Promise<string | undefined>;
}

/** Returns an environment variable. An empty variable counts as not set. */
export function environmentVariable(host: ProcessContext, name: string): string | undefined {
  return host.env[name] || undefined;
}
