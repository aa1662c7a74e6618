/** Templates of ours that a user's folder may override: `types/types` by its file `types/types.hbs`. */
export const templateNames: readonly string[] = [
  "client/decode",
  "client/encode",
  "client/index",
  "client/schema",
  "client/service",
  "errors/errors",
  "server/errors",
  "server/index",
  "server/recording",
  "server/service",
  "server/validators",
  "types/types",
  "types/version",
];
