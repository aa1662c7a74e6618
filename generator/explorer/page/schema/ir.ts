/** The IR of a contract, as webrpc writes it, with lookups for the page. */

export interface Ir {
  readonly name: string;
  readonly version: string;
  /** `/rpc/` */
  readonly basepath?: string;
  readonly types: readonly IrType[];
  readonly errors?: readonly IrError[];
  readonly services: readonly IrService[];
}

export interface IrType {
  readonly kind: "struct" | "enum" | "alias";
  readonly name: string;
  /** The target type of an alias; the base type of an enum. */
  readonly type?: string;
  readonly fields?: readonly IrField[];
  readonly meta?: readonly Readonly<Record<string, string>>[];
  readonly comments?: readonly string[];
}

export interface IrField {
  readonly name: string;
  readonly type?: string;
  readonly optional?: boolean;
  /** Only for members of an enum. */
  readonly value?: string;
  readonly meta?: readonly Readonly<Record<string, string>>[];
  readonly comments?: readonly string[];
}

export interface IrError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number;
}

export interface IrService {
  readonly name: string;
  /** The start of the paths of its routes. */
  readonly path?: string;
  readonly methods: readonly IrMethod[];
  readonly comments?: readonly string[];
}

export interface IrMethod {
  readonly name: string;
  readonly inputs: readonly IrArgument[];
  readonly outputs: readonly IrArgument[];
  /** The body is the single struct itself, without a wrapper. */
  readonly succinct?: boolean;
  readonly streamInput?: boolean;
  readonly route?: { readonly verb: string; readonly path: string };
  readonly streamOutput?: boolean;
  readonly annotations?: Readonly<Record<string, { readonly value?: string }>>;
  readonly errors?: readonly string[];
  readonly comments?: readonly string[];
}

export interface IrArgument {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
}

/** A contract with its types by name. */
export interface Schema {
  readonly ir: Ir;
  readonly types: ReadonlyMap<string, IrType>;
}

/** The names of the aliases that describe the data of errors, by the name of the error. */
export function dataTypes({ types }: Ir): ReadonlyMap<string, string> {
  return new Map(
    types.flatMap(({ name, meta = [] }) =>
      meta.flatMap(({ errorData }) => (errorData === undefined ? [] : [[errorData, name] as const])),
    ),
  );
}

export function readSchema(ir: Ir): Schema {
  return { ir, types: new Map(ir.types.map((type) => [type.name, type])) };
}

export interface ServiceMethod {
  readonly service: IrService;
  readonly method: IrMethod;
}

export function findMethod(
  { ir }: Schema,
  serviceName: string,
  methodName: string,
): ServiceMethod | undefined {
  const service = ir.services.find(({ name }) => name === serviceName);
  const method = service?.methods.find(({ name }) => name === methodName);
  return service === undefined || method === undefined ? undefined : { service, method };
}

export interface Address {
  readonly verb: string;
  /** `/rpc/Marketplace/GetOrders`, or with a route `/rpc/orders/{id}` */
  readonly path: string;
}

export function addressOf({ ir }: Schema, { service, method }: ServiceMethod): Address {
  const base = `/${ir.basepath ?? "/rpc/"}/`.replace(/\/{2,}/g, "/");
  const { route } = method;
  if (route === undefined) return { verb: "POST", path: `${base}${service.name}/${method.name}` };
  const segments = `${base}/${service.path ?? ""}/${route.path}`.split("/").filter((part) => part !== "");
  return { verb: route.verb, path: `/${segments.join("/")}` };
}

/** Paths and queries name the fields of a struct as Go does: the last `json` or `go.tag.json`. By name in JSON. */
export function namesInRoutes(
  { types }: Schema,
  { succinct, inputs }: IrMethod,
): ReadonlyMap<string, string> {
  const fields = succinct === true ? (types.get(inputs[0]?.type ?? "")?.fields ?? []) : [];
  return new Map(
    fields.map(({ name, meta = [] }) => {
      const lines = meta.flatMap((line) => Object.entries(line));
      const last = (...keys: readonly string[]): string =>
        (lines.findLast(([key]) => keys.includes(key))?.[1] ?? name).replace(/,.*/s, "");
      return [last("json"), last("json", "go.tag.json")];
    }),
  );
}

/** The names of the fields in a path. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The keys in a method's `@auth`: `["accessKey", "secretKey"]`. */
export function keysOf({ annotations }: IrMethod): readonly string[] {
  return (annotations?.["auth"]?.value ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const readVerbs: readonly string[] = ["GET", "HEAD", "QUERY"];

/** Whether the contract says that the method changes nothing. */
export function isRead({ annotations = {}, route }: IrMethod): boolean {
  return "readonly" in annotations || "cache" in annotations || readVerbs.includes(route?.verb ?? "");
}

/** A method that says that it changes nothing, or is named like one. */
export function isQuery(method: IrMethod): boolean {
  return (
    isRead(method) ||
    /^(?:get|list|find|search|count|is|has|read|query)(?![a-z])/.test(lowerFirst(method.name))
  );
}

/** `GetOrders` → `getOrders`, `API` → `api` */
export function lowerFirst(name: string): string {
  return name === name.toUpperCase()
    ? name.toLowerCase()
    : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** Fenced code and tables. */
const unwrapped = /^[ \t]*(```[\s\S]*?\n[ \t]*```|[|].*(?:\n[ \t]*[|].*)+)[ \t]*$/m;

/** Comments as paragraphs. Wrapped lines are joined, except in fenced code and in tables. */
export function docsOf(comments: readonly string[] | undefined): readonly string[] {
  return (comments ?? [])
    .join("\n")
    .split(unwrapped)
    .flatMap((part, at) =>
      at % 2 === 1
        ? [part]
        : part
            .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+[.] |>|[A-Z][A-Za-z]+: ))/)
            .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " ").trim()),
    )
    .filter((paragraph) => paragraph !== "");
}

/** Text of one line without the marks of Markdown. */
export function plainText(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)|`|\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g, "$1");
}

export interface MethodDocs {
  readonly paragraphs: readonly string[];
  /** What the comments say about an error, as in `NotFound: no such order.` */
  readonly byError: ReadonlyMap<string, string>;
}

export function methodDocs({ ir }: Schema, { comments }: IrMethod): MethodDocs {
  const names = (ir.errors ?? []).map(({ name }) => name).join("|");
  const mark = new RegExp(`(?:^|(?<=[.] ))(${names}): `, "g");
  const byError = new Map<string, string>();
  const paragraphs = docsOf(comments).flatMap((paragraph) => {
    if (names === "") return [paragraph];
    const [text = "", ...parts] = paragraph.split(mark).map((part) => part.trim());
    const texts = [text];
    for (let at = 0; at < parts.length; at += 2) {
      const [name = "", part = ""] = parts.slice(at);
      // Within a paragraph, a reason is one sentence.
      const [reason = "", ...others] = text === "" ? [part] : part.split(/(?<=[.!?]) (?=[A-Z`])/);
      const earlier = byError.get(name);
      byError.set(name, earlier === undefined ? reason : `${earlier.replace(/[.]$/, "")}; ${reason}`);
      texts.push(...others);
    }
    return texts.join(" ").trim() === "" ? [] : [texts.join(" ")];
  });
  return { paragraphs, byError };
}

/** The errors that a method lists, and those that its comments describe, unless only other methods list them. */
export function errorsOf(schema: Schema, method: IrMethod): readonly (IrError & { readonly when: string })[] {
  const { byError } = methodDocs(schema, method);
  const { errors: listed, annotations = {} } = method;
  const methods = schema.ir.services.flatMap((service) => service.methods);
  const isPossible = (name: string): boolean =>
    // Without a list, a method may return every error.
    (listed?.includes(name) ?? !("noErrors" in annotations)) ||
    !methods.some(({ errors }) => errors?.includes(name) === true);
  return (schema.ir.errors ?? [])
    .filter(({ name, code }) =>
      byError.has(name) ? isPossible(name) : code > 0 && listed?.includes(name) === true,
    )
    .map((error) => ({ ...error, when: sentence(byError.get(error.name) ?? error.message) }));
}

/** Starts with a capital, except if it starts with a name such as `buyAmount`. */
function sentence(text: string): string {
  return /^[a-z]+(?:[ ,]|$)/.test(text) ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}

/** Groups the types of a contract by the services whose methods use them. */
export interface TypeGroup {
  readonly title: string;
  readonly types: readonly IrType[];
}

/** Each type once: with its service, with those that several services use, or with those that none uses. */
export function groupTypes(ir: Ir): readonly TypeGroup[] {
  const uses = ir.services.map(({ name, methods }) => ({ name, types: typesOf(ir, methods) }));
  const usersOf = ({ name }: IrType): number => uses.filter(({ types }) => types.has(name)).length;
  const groups: readonly TypeGroup[] = [
    ...uses.map(({ name, types }) => ({
      title: name,
      types: ir.types.filter((type) => types.has(type.name) && usersOf(type) === 1),
    })),
    { title: "Several services", types: ir.types.filter((type) => usersOf(type) > 1) },
    { title: "No service", types: ir.types.filter((type) => usersOf(type) === 0) },
  ];
  return groups.filter(({ types }) => types.length > 0);
}

/** Names of all types that requests, responses and errors contain, at any depth. */
function typesOf(ir: Ir, methods: readonly IrMethod[]): ReadonlySet<string> {
  const all = new Map(ir.types.map((type) => [type.name, type]));
  const found = new Set<string>();
  const data = dataTypes(ir);
  const waiting = methods.flatMap(({ inputs, outputs, errors = [...data.keys()] }) => [
    ...[...inputs, ...outputs].map(({ type }) => type),
    ...errors.flatMap((name) => data.get(name) ?? []),
  ]);
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    // The base type of an enum, and names such as `map` and `string`, are no types of the contract.
    for (const name of text.match(/[\w.]+/g) ?? []) {
      const type = all.get(name);
      if (type === undefined || found.has(name)) continue;
      found.add(name);
      waiting.push(type.type ?? "", ...(type.fields ?? []).map((field) => field.type ?? ""));
    }
  }
  return found;
}
