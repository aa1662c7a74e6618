import type { LoadedContract } from "../../verify/in-memory/load.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import type { ServedVersion } from "../dev/dev-server.ts";
import { type GuardSettings, type HookCall, mockGuard, readControls } from "./mock-controls.ts";

import { mockHandlers } from "./mock-handlers.ts";

export interface MockOptions extends GuardSettings {
  /** Initial number of records of each kind. */
  readonly records: number;
  readonly onCall: (call: MockedCall) => void;
  /** Source of strings such as names and places. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/** A completed call. */
export interface MockedCall {
  /** `Shop.GetOrder`, or the path if there is no such method. */
  readonly method: string;
  readonly status: number;
  /** Name of the returned error. */
  readonly error: string | undefined;
  readonly ms: number;
  /** Why a response violates the schema. Either rules of the schema contradict each other, or ridlkit has a bug. */
  readonly cause: string | undefined;
}

/** A subset of `CallLog` in generator/runtime/src/options.ts. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly path: string;
  readonly status: number;
  readonly error: { readonly name: string } | undefined;
  readonly cause: unknown;
  readonly durationMs: number;
}

/** Creates the generated server of a contract with mock handlers. The generated validators check each response. */
export function createMock(loaded: LoadedContract, options: MockOptions): ServedVersion {
  const server = loaded.createServer(mockHandlers(loaded, options), {
    guards: [mockGuard(loaded, options, seededRandom(options.seed))],
    context: (call: HookCall) => readControls((name) => call.header(name), options, loaded.plan.errors),
    checkResponses: true,
    versions: noCustomConversions,
    onDone: ({ method, path, status, error, cause, durationMs }: CompletedCall) =>
      options.onCall({
        method: method === undefined ? path : `${method.service}.${method.name}`,
        status,
        error: error?.name,
        ms: Math.round(durationMs * 10) / 10,
        cause: status === 500 && cause !== undefined ? String(cause) : undefined,
      }),
  });
  return {
    own: { server },
    createServer: loaded.createServer,
    keysInMemory: loaded.keysInMemory,
    nodeListener: (rpc) => {
      const listener = loaded.nodeListener(rpc);
      return (req, res) => {
        req.url = ownPath(req.url ?? "/", loaded.plan.basepath);
        listener(req, res);
      };
    },
    stackMapper: { stackOf: String },
  };
}

/** Stands for all conversions that a person writes. A conversion that returns undefined rejects the call. */
const noCustomConversions: object = new Proxy(() => undefined, { get: () => noCustomConversions });

/** Removes a prefix before the schema's base path, as in `/polygon/rpc/…`. */
function ownPath(url: string, basepath: string): string {
  const [path = ""] = url.split("?", 1);
  const at = path.indexOf(basepath);
  return at === -1 ? url : url.slice(at);
}
