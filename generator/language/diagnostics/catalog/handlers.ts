/** Hand-written handlers: RK680 to RK689. */
export const handlers = {
  "handler-syntax": {
    code: "RK680",
    severity: "error",
    message: "{reason}.",
    advice: "Fix the syntax error first; until then, no handler is added or changed.",
  },
  "orphan-handler": {
    code: "RK681",
    severity: "warning",
    message: 'The schema no longer has the method "{method}", but its handler still exists.',
  },
  "orphan-service": {
    code: "RK682",
    severity: "warning",
    message: 'The schema no longer has the service "{service}", but its handlers still exist.',
    advice: "Remove them, or restore the service.",
  },
  "two-handlers": {
    code: "RK683",
    severity: "warning",
    message: 'Two files have a handler for "{method}".',
    advice: "Remove one of them; neither file was changed.",
  },
  "unplaced-handler": {
    code: "RK684",
    severity: "warning",
    message: 'The handler of "{method}" could not be registered, because no object of handlers was found.',
    advice: "Add it to the handlers that you pass to the server.",
  },
  "broken-record": {
    code: "RK685",
    severity: "error",
    message: '"{path}", the saved state of the handlers, cannot be read.',
    advice:
      "Restore it from version control, or delete it; without it, only @renamedFrom marks renamed methods.",
  },
} as const;
