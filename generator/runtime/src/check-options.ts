import type { ApiDefinition } from "./definition.ts";
import type { ServerOptions } from "./options.ts";

/* Rejects options of a server that would have no effect, because a misspelled hook would leave an API open. */

/** By the name of an option: what its object may contain, or that it is a function. */
const optionNames: Readonly<
  Record<keyof ServerOptions | "versions", readonly string[] | "function" | undefined>
> = {
  guards: undefined,
  context: "function",
  annotations: undefined,
  around: undefined,
  watchBody: "function",
  checkRequest: "function",
  mapError: "function",
  unexpectedErrors: undefined,
  adviseRoute: "function",
  onResponse: "function",
  recorder: undefined,
  requestId: "function",
  deadline: ["ms", "error"],
  unreadError: "function",
  checkResponses: undefined,
  limits: ["bodyMaxBytes", "jsonMaxDepth", "unreadMaxBytes", "unreadMaxBytesPerAddress", "unreadMaxMs"],
  streams: ["pingMs", "maxMs"],
  uploads: ["fileMaxBytes", "filesMax", "folder", "receiver"],
  idempotency: ["store", "scope", "isRequired", "responseMaxBytes"],
  versions: undefined,
};

/** @throws TypeError for unknown names of options, annotations, services and methods, and for hooks of another type. */
export function checkOptions<Carrier>(
  { services }: ApiDefinition,
  options: ServerOptions<unknown, string, Carrier>,
): void {
  checkNames("createServer", options, Object.keys(optionNames));
  for (const [name, known] of Object.entries(optionNames)) {
    const value = options[name as keyof ServerOptions];
    if (value === undefined || known === undefined) continue;
    if (known === "function") checkFunction(name, value);
    else checkNames(name, value, known);
  }
  const { deadline, idempotency } = options;
  if (deadline !== undefined) checkFunction("deadline.error", deadline.error);
  if (idempotency !== undefined) checkFunction("idempotency.scope", idempotency.scope);

  for (const guard of listOf("guards", options.guards)) checkFunction("guards", guard);

  const methods = services.flatMap((service) => service.methods);
  const annotations = [...new Set(methods.flatMap((method) => Object.keys(method.annotations ?? {})))];
  checkFunctions("annotations", options.annotations, annotations);

  const names = [...services.map(({ name }) => name), ...annotations.map((name) => `@${name}`)];
  for (const entry of listOf("around", options.around)) {
    if (typeof entry === "function") continue;
    checkNames("around", entry, names);
    for (const [name, value] of Object.entries(entry)) {
      const service = services.find((one) => one.name === name);
      const own = service?.methods.map((method) => method.name);
      if (own === undefined || typeof value !== "object") checkFunctions("around", { [name]: value }, [name]);
      else checkFunctions(`around.${name}`, value, own);
    }
  }
}

/** @throws TypeError for a name that is not known. */
export function checkNames(at: string, given: unknown, known: readonly string[]): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null) throw new TypeError(`${at}: expected an object`);
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new TypeError(`${at}: unknown name "${name}" (known: ${known.join(", ") || "none"})`);
}

/** Values may be undefined, as in optional fields. */
function checkFunctions(at: string, given: object | undefined, known: readonly string[]): void {
  checkNames(at, given, known);
  for (const [name, value] of Object.entries(given ?? {}))
    if (value !== undefined) checkFunction(`${at}.${name}`, value);
}

function checkFunction(at: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${at}: expected a function`);
}

function listOf<Item>(at: string, given: readonly Item[] | undefined): readonly Item[] {
  if (given === undefined || Array.isArray(given)) return given ?? [];
  throw new TypeError(`${at}: expected a list`);
}
