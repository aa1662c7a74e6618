/** Built-in templates that custom ones can replace: `types/types` by the file `types/types.hbs`. */
export const templateNames: readonly string[] = [
  "client/client",
  "errors/errors",
  "explorer/explorer",
  "mcp/mcp",
  "recorder/recorder",
  "server/server",
  "server/service",
  "types/types",
];
