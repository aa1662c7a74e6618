import type { LiveContract } from "../../verify/live/load.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import type { ServedVersion } from "../dev/dev-server.ts";
import { readControls } from "./mock-controls.ts";
import { type GuardSettings, type HookCall, mockGuard } from "./mock-guard.ts";
import { mockHandlers } from "./mock-handlers.ts";

export interface MockOptions extends GuardSettings {
  /** Number of records to create for each resource at start. */
  readonly records: number;
  readonly onCall: (call: MockedCall) => void;
  /** Source of texts for fields with a known meaning, such as names. Default: the built-in texts. */
  readonly texts?: TextSource;
}

export interface MockedCall {
  /** `Shop.GetOrder`, or the path if no method matches. */
  readonly method: string;
  readonly status: number;
  readonly error: string | undefined;
  readonly ms: number;
  /** Why a response violates the schema: its rules contradict each other, or ridlkit has a bug. */
  readonly fault: string | undefined;
}

/** The part of `CallLog` (generator/codegen/runtime/v1/hooks.ts) that the mock reads. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly path: string;
  readonly status: number;
  readonly error: { readonly name: string } | undefined;
  readonly cause: unknown;
  readonly durationMs: number;
}

/** Creates a generated server with mock handlers. The generated validators check every response. */
export function createMock(live: LiveContract, options: MockOptions): ServedVersion {
  const server = live.createServer(mockHandlers(live, options), {
    guards: [mockGuard(live, options, seededRandom(options.seed))],
    context: (call: HookCall) => readControls((name) => call.header(name), options, live.plan),
    checkResponses: true,
    onDone: ({ method, path, status, error, cause, durationMs }: CompletedCall) =>
      options.onCall({
        method: method === undefined ? path : `${method.service}.${method.name}`,
        status,
        error: error?.name,
        ms: Math.round(durationMs * 10) / 10,
        fault: status === 500 && cause !== undefined ? String(cause) : undefined,
      }),
  });
  return {
    own: { server },
    createServer: live.createServer,
    nodeListener: (rpc) => {
      const listener = live.nodeListener(rpc);
      return (req, res) => {
        req.url = ownPath(req.url ?? "/", live.plan.basepath);
        listener(req, res);
      };
    },
    stackMapper: { stackOf: String },
  };
}

/** Removes a prefix that a host puts before the base path: `/polygon/rpc/…` becomes `/rpc/…`. */
function ownPath(url: string, basepath: string): string {
  const [path = ""] = url.split("?", 1);
  const at = path.indexOf(basepath);
  return at === -1 ? url : url.slice(at);
}
