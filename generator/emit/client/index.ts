import { claimName } from "../../plan/names.ts";
import { isLeftOut, type Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { errorUnions } from "../errors/unions.ts";
import { template } from "../render.ts";
import { header, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import decodeSpecification from "./decode.hbs";
import { type Decoder, decoders } from "./decoders.ts";
import { clientFiles } from "./files.ts";
import indexSpecification from "./index.hbs";
import schemaSpecification from "./schema.hbs";
import { emitService } from "./service.ts";

const printIndex = template<{ header: string; exports: readonly string[] }>(indexSpecification);
const printSchema = template<{
  header: string;
  basepath: string;
  webrpc: string;
  failures: readonly object[];
}>(schemaSpecification);
const printDecode = template<{ header: string; imports: string; decoders: readonly Decoder[] }>(
  decodeSpecification,
);

/** `client/`: a file a service, what they share, and `index.ts` for callers who do not look at bytes. */
export function emitClient(plan: Plan): readonly EmittedFile[] {
  const unions = errorUnions(plan);
  return [
    ...plan.services.map((service) => emitService(plan, service, unions)),
    emitSchema(plan),
    ...emitDecode(plan),
    emitIndex(plan),
  ];
}

/** Codes of the errors that a client makes by itself; the last one only if it has streams. */
const failureCodes: readonly number[] = [-1, -5, -8, -9];

function emitSchema(plan: Plan): EmittedFile {
  const codes = hasStreams(plan) ? failureCodes : failureCodes.slice(0, -1);
  const failures = plan.errors.filter(({ builtin, code }) => builtin && codes.includes(code));
  return {
    path: `client/${clientFiles(plan).schema}.ts`,
    text: printSchema({
      header: header(plan.schemaFile),
      basepath: literal(plan.basepath),
      webrpc: literal(webrpcHeader(plan)),
      failures: failures.map(({ code, name, message, httpStatus }) => ({
        code,
        name: literal(name),
        message: literal(message),
        status: httpStatus,
      })),
    }),
  };
}

/** Nothing if no answer has a bigint. */
function emitDecode(plan: Plan): readonly EmittedFile[] {
  const found = decoders(plan);
  if (found.length === 0) return [];
  const text = found.flatMap(({ fields }) => fields.map(({ read }) => read)).join(" ");
  const imports = ["readBigint", "readFields", "readList", "readMap"].filter(
    (name) => name === "readFields" || text.includes(name),
  );
  const view = { header: header(plan.schemaFile), imports: imports.join(", "), decoders: found };
  return [{ path: `client/${clientFiles(plan).decode}.ts`, text: printDecode(view) }];
}

/** What callers need beside the services, by file of the runtime. */
const runtimeExports: Readonly<Record<string, readonly string[]>> = {
  chain: ["chain"],
  client: ["type Call", "type CallOptions", "type Client", "type Interceptor"],
  errors: ["RpcError"],
  method: ["isCallOf", "queryKey"],
  result: ["type FailureOf", "match", "type Result", "result"],
  retries: ["retries", "retryAfterMs"],
};

/** The same of a schema with streams. */
const streamExports: typeof runtimeExports = {
  stream: ["type Reconnect", "type Stream", "type StreamOptions", "type StreamState"],
  "stream-callbacks": ["subscribe", "type StreamCallbacks", "type StreamController"],
};

function hasStreams({ services }: Plan): boolean {
  return services.some(({ methods }) => methods.some((method) => method.streamOutput && !isLeftOut(method)));
}

function emitIndex(plan: Plan): EmittedFile {
  const taken = new Set(plan.services.map(({ className }) => className));
  const services = plan.services.map(
    ({ className, fileName }) => `export { ${className} } from "./${fileName}.ts";`,
  );
  const runtime = Object.entries({ ...runtimeExports, ...(hasStreams(plan) && streamExports) }).map(
    ([file, names]) => {
      const items = names.map((name) => exported(name, taken));
      return `export { ${items.join(", ")} } from "../runtime/v1/${file}.ts";`;
    },
  );
  return {
    path: `client/${clientFiles(plan).index}.ts`,
    text: printIndex({ header: header(plan.schemaFile), exports: [...runtime, ...services] }),
  };
}

/** A service may be called Client, and keeps its name. */
function exported(item: string, taken: Set<string>): string {
  const name = item.replace("type ", "");
  const own = claimName(name, taken);
  return own === name ? item : `${item} as ${own}`;
}
