/** Names that a client exports, by module of the runtime. */
export type Exports = Readonly<Record<string, readonly string[]>>;

/** Exports of every client. */
export const runtimeExports: Exports = {
  client: [
    "type Call",
    "type CallOptions",
    "chain",
    "type Client",
    "type FailureOf",
    "type Interceptor",
    "isCallOf",
    "match",
    "queryKey",
    "reauthenticate",
    "type Result",
    "result",
    "retries",
    "retryAfterMs",
    "type WithResponse",
    "withResponse",
  ],
  errors: ["type Issue", "RpcError"],
};

/** Exports if the schema has streams. */
export const streamExports: Exports = {
  "client-streams": [
    "type Reconnect",
    "type Stream",
    "type StreamCallbacks",
    "type StreamController",
    "type StreamOptions",
    "type StreamState",
    "subscribe",
  ],
};

/** Exports if the schema has streams with `@resume`. */
export const resumeExports: Exports = { "client-streams": ["type ResumableMethod"] };

/** Exports if the schema has enums. */
export const enumExports: Exports = { shapes: ["isOneOf"] };

/** Exports if the schema has reads. */
export const readExports: Exports = { client: ["byGet", "byQuery", "etagOf", "ifMatch"] };

/** Exports if the schema has paged methods. */
export const pageExports: Exports = {
  paging: ["items", "type PagedMethod", "type PageOptions", "type Pages", "pages"],
};

/** Exports if the schema has methods that return files. */
export const fileExports: Exports = { "client-files": ["type ReceivedFile"] };
