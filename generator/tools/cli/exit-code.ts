/** What the process answers its caller. */
export const exitCode = {
  ok: 0,
  /** The schema has faults. */
  findings: 1,
  /** The command or the configuration is wrong, or its output could not be written. */
  usage: 2,
  /** Our bug. */
  internalError: 3,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
