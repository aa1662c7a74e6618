/** Built-in templates that custom ones can replace: `types/types` by the file `types/types.hbs`. */
export const templateNames: readonly string[] = [
  "client/index",
  "client/schema",
  "client/service",
  "client/shapes",
  "errors/errors",
  "explorer/explorer",
  "mcp/mcp",
  "recorder/recorder",
  "server/errors",
  "server/index",
  "server/service",
  "types/types",
  "types/version",
];
