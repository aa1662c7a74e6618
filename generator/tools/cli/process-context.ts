/** Everything a command sees of the world around it, so that tests can be that world. */
export interface ProcessContext {
  /** Absolute; `--cwd` is relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** `0.1.0`, or `dev` when run from source. */
  readonly version: string;
  /** From now on it is no fault that the process ends before its work does. */
  readonly allowEarlyExit?: () => void;
}

/** Standard output is for what was asked for, standard error for what is said about it. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person reads standard error. */
  readonly errIsTerminal: boolean;
  /** Asks the person at the terminal; undefined if the input ends. Absent where no person is, as in a pipe. */
  ask?(question: string): Promise<string | undefined>;
}

/** An environment variable that is set to something; an empty one counts as not set. */
export function environmentVariable(host: ProcessContext, name: string): string | undefined {
  return host.env[name] || undefined;
}
