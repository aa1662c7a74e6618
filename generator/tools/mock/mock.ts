import type { LiveContract } from "../../verify/live/load.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import type { ServedVersion } from "../dev/dev-server.ts";
import { readControls } from "./mock-controls.ts";
import { type GuardSettings, type HookCall, mockGuard } from "./mock-guard.ts";
import { mockHandlers } from "./mock-handlers.ts";

export interface MockOptions extends GuardSettings {
  /** Made of each kind before anybody creates one. */
  readonly records: number;
  readonly onCall: (call: MockedCall) => void;
  /** Where texts come from whose meaning is known. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/** A call that was answered. */
export interface MockedCall {
  /** `Shop.GetOrder`, or the path where it is no method's. */
  readonly method: string;
  readonly status: number;
  /** Name of the error that was answered. */
  readonly error: string | undefined;
  readonly ms: number;
  /** Why an answer does not keep to the schema, which is a fault of its rules or of ours. */
  readonly fault: string | undefined;
}

/** What a generated server says of a call; see `CallLog` in generator/codegen/runtime/v1/hooks.ts. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly path: string;
  readonly status: number;
  readonly error: { readonly name: string } | undefined;
  readonly cause: unknown;
  readonly durationMs: number;
}

/** The generated server of a contract with answers made from the schema, each of which is checked by the generated validators. */
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

/** Without what hosts have before the schema's own path, as `/polygon/rpc/…`. */
function ownPath(url: string, basepath: string): string {
  const [path = ""] = url.split("?", 1);
  const at = path.indexOf(basepath);
  return at === -1 ? url : url.slice(at);
}
