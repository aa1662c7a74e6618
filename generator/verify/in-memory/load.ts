import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { createPlan, generate } from "../../codegen/generate.ts";
import type { GivenOptions } from "../../codegen/options.ts";
import type { Plan } from "../../codegen/plan/plan.ts";
import { runtimeFolder, runtimeModules } from "../../codegen/runtime.ts";
import type { IrSchema } from "../../language/ir/schema.ts";
import type { Model } from "../../language/model/model.ts";

/** The generated code of a contract, bundled and loaded in memory. */
export interface LoadedContract {
  readonly plan: Plan;
  /** JSON Schema of all bodies. */
  readonly jsonSchema: { readonly $id: string; readonly $defs: Readonly<Record<string, object>> };
  readonly client: Readonly<Record<string, ClientClass>>;
  /** All callers share their idempotency keys, because nothing is known about callers. */
  readonly createServer: (handlers: object, options?: object) => LoadedServer;
  /** Undefined if no method takes idempotency keys. */
  readonly memoryIdempotencyStore: (() => object) | undefined;
  readonly fetchHandler: (server: LoadedServer) => (request: Request) => Promise<Response>;
  readonly nodeListener: (server: object) => RequestListener;
  /** Checks a response as a handler returns it, by the default path of its method. */
  readonly checkResponse: (
    path: string,
    value: unknown,
  ) => { readonly listed: readonly LoadedIssue[] } | undefined;
  /** Creates a protocol error of the protocol by its code. */
  readonly protocolError: (code: number, details?: LoadedErrorDetails) => Error;
  readonly createRecorder: (path: string, options?: LoadedRecorderOptions) => LoadedRecorder;
}

export interface LoadedRecorder extends AsyncDisposable {
  written(): Promise<void>;
}

/** An invalid value of a response. */
export interface LoadedIssue {
  /** Keys and list indexes from the response. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface LoadedErrorDetails {
  readonly cause: string;
  readonly expose: true;
}

export interface LoadedRecorderOptions {
  readonly maxBytes?: number;
  readonly tell?: (message: string) => void;
}

export type LoadedServer = { readonly "~server": never };

/** A class of the generated client. */
export type ClientClass = new (client: object) => Readonly<Record<string, (...args: unknown[]) => unknown>>;

export interface ContractToLoad
  extends Pick<GivenOptions, "protocolErrors" | "int64" | "timestamps" | "enums" | "history" | "adapters"> {
  readonly model: Model;
  readonly ir: IrSchema;
}

const targets = ["client", "server", "validators", "recorder"] as const;

/**
 * Generates the types, client, server and validators of a contract, and loads them. No file is written. Nothing needs to be installed in
 * the project. Throws NothingToServe.
 */
export async function loadInMemory({ model, ir, ...given }: ContractToLoad): Promise<LoadedContract> {
  // The adapters decide the form of uploaded files.
  const adapters = given.adapters ?? ["node"];
  const options = { ...given, schemaFile: "schema", targets, adapters };
  const generated = generate(model, ir, options);
  if (!generated.has("server.ts")) throw new NothingToServe();
  const files = new Map([...generated, ...runtimeModules()]);
  const exported = await evaluate(await bundle(files));
  return {
    ...exported,
    plan: createPlan(model, ir, options),
    jsonSchema: JSON.parse(files.get("json-schema/schema.json") ?? "{}"),
  };
}

/** The contract has no method that a generated server could serve. */
export class NothingToServe extends Error {
  override readonly name = "NothingToServe";

  constructor() {
    super(
      "The schema has no method that can be served: it has no methods, or all of them stream their requests.",
    );
  }
}

const entryModule = `import * as client from "./client.ts";
import { createRecorder } from "./recorder.ts";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { nodeListener } from "ridlkit-runtime/node";
import * as server from "./server.ts";
import { responses } from "./validators.ts";
const { memoryIdempotencyStore, rpcError } = server;
const protocolError = rpcError.protocolError;
const keys = memoryIdempotencyStore && { idempotency: { store: memoryIdempotencyStore(), scope: () => "" } };
const createServer = (handlers, options) => server.createServer(handlers, { ...keys, ...options });
const checkResponse = (path, value) => responses[path]?.check(value);
export { protocolError, checkResponse, client, createServer, fetchHandler, memoryIdempotencyStore, nodeListener, createRecorder };
`;

async function bundle(files: ReadonlyMap<string, string>): Promise<string> {
  // Imported lazily, because most runs do not need it.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: entryModule, loader: "ts", resolveDir: "/", sourcefile: "/entry.ts" },
    bundle: true,
    write: false,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    logLevel: "silent",
    plugins: [
      {
        name: "generated-files",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^ridlkit-runtime[/]/ }, ({ path }) => ({
            path: `${runtimeFolder}/${posix.basename(path)}.ts`,
            namespace: "generated",
          }));
          onResolve({ filter: /^[.]/ }, ({ path, importer }) => ({
            path: posix.join(posix.dirname(importer), path).replace(/^\//, ""),
            namespace: "generated",
          }));
          onResolve({ filter: /^[^.]/ }, ({ path }) => ({ path, external: true }));
          onLoad({ filter: /./, namespace: "generated" }, ({ path }) => ({
            contents: files.get(path) ?? `throw new Error("no file ${path}")`,
            loader: "ts",
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

/** The packages that generated servers import. */
const formParsers: Readonly<Record<string, () => Promise<object>>> = {
  "@fastify/busboy": () => import("@fastify/busboy"),
  "@remix-run/multipart-parser": () => import("@remix-run/multipart-parser"),
};

async function evaluate(code: string): Promise<Omit<LoadedContract, "plan" | "jsonSchema">> {
  const parsers = new Map<string, object>();
  for (const [name, load] of Object.entries(formParsers))
    if (code.includes(`require("${name}")`)) parsers.set(name, await load());
  const module = { exports: {} };
  const requireBuiltIn = createRequire(import.meta.url);
  const require = (name: string): unknown => parsers.get(name) ?? requireBuiltIn(name);
  new Function("module", "exports", "require", code)(module, module.exports, require);
  return module.exports as Omit<LoadedContract, "plan" | "jsonSchema">;
}
