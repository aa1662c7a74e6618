/** What of the runtime a client exports, by its sources. */
type Exports = Readonly<Record<string, readonly string[]>>;

/** What callers need beside the services, by file of the runtime. */
export const runtimeExports: Exports = {
  chain: ["chain"],
  client: ["type Call", "type CallOptions", "type Client", "type Interceptor"],
  errors: ["RpcError"],
  issue: ["type Issue"],
  method: ["isCallOf", "queryKey"],
  result: ["type FailureOf", "match", "type Result", "result"],
  retries: ["retries", "retryAfterMs"],
};

/** The same of a schema with streams. */
export const streamExports: Exports = {
  stream: ["type Reconnect", "type Stream", "type StreamOptions", "type StreamState"],
  "stream-callbacks": ["subscribe", "type StreamCallbacks", "type StreamController"],
};

/** The same of one with answers that are files. */
export const fileExports: Exports = { "received-file": ["type ReceivedFile"] };
