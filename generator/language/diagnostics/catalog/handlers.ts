/** Hand-written handlers: RK680 to RK689. */
export const handlers = {
  "handler-syntax": {
    code: "RK680",
    severity: "error",
    message: "{reason}.",
    advice:
      "Mend the file first: which handlers it has cannot be seen, so none was added or changed anywhere.",
  },
  "orphan-handler": {
    code: "RK681",
    severity: "warning",
    message: 'The schema has no method "{method}" any more, and its handler is still there.',
  },
  "orphan-service": {
    code: "RK682",
    severity: "warning",
    message: 'The schema has no service "{service}" any more, and its handlers are still there.',
    advice: "Remove them, or bring the service back.",
  },
  "two-handlers": {
    code: "RK683",
    severity: "warning",
    message: 'Two files have a handler of "{method}".',
    advice: "Keep one of them; nothing was changed in either.",
  },
  "unplaced-handler": {
    code: "RK684",
    severity: "warning",
    message: 'There is no object of handlers to put "{method}" into.',
    advice: "Add it where the handlers are handed to the server.",
  },
  "broken-record": {
    code: "RK685",
    severity: "error",
    message: '"{path}" is no record of handlers.',
    advice:
      "Take it back from version control, or remove it: then renamed methods are known by @renamedFrom only.",
  },
} as const;
