/** Built-in templates that custom ones can replace: `types/types` by the file `types/types.hbs`. */
export const templateNames: readonly string[] = [
  "client/decode",
  "client/encode",
  "client/index",
  "client/schema",
  "client/service",
  "errors/errors",
  "mcp/mcp",
  "recorder/recorder",
  "server/errors",
  "server/index",
  "server/service",
  "types/types",
  "types/version",
];
