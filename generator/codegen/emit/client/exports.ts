/** Runtime exports of a client, by runtime source. */
type Exports = Readonly<Record<string, readonly string[]>>;

/** Exports of every client. */
export const runtimeExports: Exports = {
  chain: ["chain"],
  client: ["type Call", "type CallOptions", "type Client", "type Interceptor"],
  errors: ["RpcError"],
  issue: ["type Issue"],
  method: ["isCallOf", "queryKey"],
  reauthenticate: ["reauthenticate"],
  result: ["type FailureOf", "match", "type Result", "result"],
  retries: ["retries", "retryAfterMs"],
  "with-response": ["type WithResponse", "withResponse"],
};

/** Exports if the schema has streams. */
export const streamExports: Exports = {
  stream: ["type Reconnect", "type Stream", "type StreamOptions", "type StreamState"],
  "stream-callbacks": ["subscribe", "type StreamCallbacks", "type StreamController"],
};

/** Exports if the schema has streams with `@resume`. */
export const resumeExports: Exports = { "resumable-method": ["type ResumableMethod"] };

/** Exports if the schema has enums. */
export const enumExports: Exports = { "one-of": ["isOneOf"] };

/** Exports if the schema has reads. */
export const readExports: Exports = {
  etag: ["etagOf", "ifMatch"],
  "read-forms": ["byGet", "byQuery"],
};

/** Exports if the schema has paged methods. */
export const pageExports: Exports = {
  paged: ["type PagedMethod"],
  pages: ["items", "type PageOptions", "type Pages", "pages"],
};

/** Exports if the schema has methods that return files. */
export const fileExports: Exports = { "received-file": ["type ReceivedFile"] };
