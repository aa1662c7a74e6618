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

/** Comments as paragraphs. Wrapped lines are joined. */
export function docsOf(comments: readonly string[] | undefined): readonly string[] {
  return (comments ?? [])
    .join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/\n(?=- |[A-Z][A-Za-z]+: )/))
    .map((paragraph) => paragraph.replaceAll("\n", " ").trim())
    .filter((paragraph) => paragraph !== "");
}
