/** Settings of an MCP server. */
import type { McpMethod } from "./mcp-api.ts";

/** What answers the calls: the URL of an API, or a handler in the same process: `fetchHandler(server)`. */
export type McpTarget = string | ((request: Request) => Response | Promise<Response>);

export interface McpOptions {
  /**
   * The methods that agents can find and call: all, those with `@mcp`, those that change nothing, or a choice of your own.
   * Default "all". Methods with `@internal` or `@mcp:off` are never among them.
   */
  readonly expose?: "all" | "marked" | "readonly" | ((method: McpMethod) => boolean);
  /**
   * Headers of each call, such as credentials. `request` is the HTTP request of the agent; undefined over stdio. Default: the
   * agent's `Authorization` for a handler, and none for a URL, because credentials for this server are not meant for others.
   */
  readonly headers?: (
    request: Request | undefined,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Largest answer in bytes. Larger ones are cut. At least 1,000. Default 20,000, about 6,000 tokens. */
  readonly maxBytes?: number;
  /** Most items that a call of a stream returns. Default 20. */
  readonly maxItems?: number;
  /** How long a call of a stream waits for items, in milliseconds. Default 5,000. */
  readonly streamMs?: number;
  /** Largest file that is sent to the agent, in bytes. Of others it gets name, type and size. Default 256 KiB. */
  readonly fileMaxBytes?: number;
  /** How long a call may take, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Called with errors that agents do not see, such as those of the network. */
  readonly onError?: (error: unknown) => void;
}

export type McpSettings = Required<Omit<McpOptions, "expose" | "headers">> & Pick<McpOptions, "headers">;

export function mcpSettings({ headers, maxBytes = 20_000, ...options }: McpOptions): McpSettings {
  return {
    maxItems: 20,
    streamMs: 5_000,
    fileMaxBytes: 256 * 1024,
    timeoutMs: 30_000,
    onError: () => {},
    ...options,
    maxBytes: Math.max(maxBytes, maxBytesMin),
    ...(headers && { headers }),
  };
}

const maxBytesMin = 1_000;

/** Returns the methods that agents can see, in the order of the schema. */
export function exposedMethods(
  methods: readonly McpMethod[],
  { expose = "all" }: McpOptions,
): readonly McpMethod[] {
  if (expose === "all") return methods;
  if (expose === "marked") return methods.filter(({ isMarked }) => isMarked);
  return methods.filter(expose === "readonly" ? ({ isRead }) => isRead : expose);
}
