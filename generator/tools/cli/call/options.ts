/** The options of `call`, in addition to those of all commands that read schemas. */
export const callOptions = {
  url: {
    kind: "text",
    value: "URL",
    description: "Base URL of the server, without the basepath of the schema",
  },
  schema: { kind: "text", value: "FILE", description: "Use this schema instead of the configuration's" },
  header: {
    kind: "texts",
    short: "H",
    value: "NAME:VALUE",
    description: "Header of the request; repeatable",
  },
  timeout: {
    kind: "text",
    value: "TIME",
    description: "Time limit, such as 500ms or 2m; default: 30s, none for files; 0: none",
  },
  include: { kind: "flag", short: "i", description: "Print status and headers of the response, too" },
  output: { kind: "text", short: "o", value: "FILE", description: "Write the response to FILE" },
  pretty: {
    kind: "flag",
    description: "Indent JSON (default in a terminal); --no-pretty prints one line",
  },
  check: { kind: "flag", description: "Check the request first (default); --no-check sends it as it is" },
  get: { kind: "flag", description: "Call a read with @cache by GET, so that caches can answer" },
  idempotencyKey: {
    kind: "text",
    value: "KEY",
    description: "Key of a call that may be repeated; default: a random one",
  },
  curl: { kind: "flag", description: "Print the call as a curl command instead" },
} as const;
