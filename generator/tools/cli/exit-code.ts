/** Exit codes of the process. */
export const exitCode = {
  ok: 0,
  /** The command found errors. */
  findings: 1,
  /** The command line or the configuration is invalid, a module of the project ended the process, or output could not be written. */
  usage: 2,
  /** A bug in ridlkit. */
  internalError: 3,
  /** A called server sent no response, or none that can be used. */
  noResponse: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
