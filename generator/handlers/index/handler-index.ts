import { posix } from "node:path";
import type * as morph from "ts-morph";
import type { Span } from "../../language/source/span.ts";

/** ts-morph, which takes its time to load and is handed in by whoever needs a survey. */
export type TsMorph = typeof morph;

/** A place in hand-written code that names a method of the schema. */
export interface HandlerReference {
  /** `type`: `MarketplaceHandlers["GetOrders"]`; `property`: of an object of handlers; `member`: of a class; `export`: of a module. */
  readonly kind: "type" | "property" | "member" | "export";
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** Of the name, inside its quotes if it has any. */
  readonly span: Span;
  readonly isQuoted: boolean;
  /** `{ GetOrders }`, which names a variable too. */
  readonly isShorthand: boolean;
  /** Whether this is where the handler itself stands, and not only a mention of it. */
  readonly isHandler: boolean;
  /** Of a typed handler, the name that its module exports it by. */
  readonly exportName?: string | undefined;
}

/** A place in hand-written code that names a service: a key of the object of all handlers, `Handlers["Marketplace"]`. */
export interface ServiceReference {
  readonly service: string;
  readonly path: string;
  readonly span: Span;
  readonly isQuoted: boolean;
  readonly isShorthand: boolean;
}

/** Where the handlers of a service are gathered, so that one more can be added. */
export interface HandlerContainer {
  /** Undefined: the handlers of the whole API, by service. */
  readonly service: string | undefined;
  readonly kind: "object" | "class" | "module";
  readonly path: string;
  /** What is between the braces; of a module the whole text. */
  readonly inside: Span;
  /** End of the last member, without what follows it; the start of the inside if there is none. */
  readonly lastEnd: number;
  readonly hasTrailingComma: boolean;
  /** Names that stand there, spreads that can be followed included. */
  readonly names: ReadonlySet<string>;
  /** Something is spread into it whose names cannot be seen. */
  readonly hasUnknownNames: boolean;
}

/** Objects in tests stand for a few methods on purpose. */
export function isProductionCode({ path }: HandlerContainer): boolean {
  return !/[.](test|spec)[.]|(^|\/)(tests?|__tests__)\//.test(path);
}

/** An import out of the generated folder. */
export interface GeneratedImport {
  readonly path: string;
  readonly specifier: string;
  /** Of the specifier, inside its quotes. */
  readonly span: Span;
  /** What it takes, by its name there. */
  readonly names: readonly { readonly name: string; readonly span: Span; readonly isAliased: boolean }[];
}

/** A name in the place of a type: `OrdersRequest`, or `types.OrdersRequest` with its qualifier. */
export interface TypeName {
  readonly path: string;
  readonly name: string;
  readonly span: Span;
  readonly qualifier: string | undefined;
  /** Whether it can take type arguments here, as it can not in `export { Orders }`. */
  readonly isReference: boolean;
}

/** What matters of one file apart from handlers. */
export interface FileFacts {
  /** Every identifier, so that a new one can be told from them. */
  readonly identifiers: ReadonlySet<string>;
  /** Names by which it exports values of its own, "default" among them. */
  readonly exports: ReadonlySet<string>;
  /** End of the last import; undefined if there is none. */
  readonly importsEnd: number | undefined;
  /** Where its own modules are imported from, as it writes them: `"./orders.ts"`. */
  readonly relativeImports: readonly { readonly specifier: string; readonly span: Span }[];
  /** Local names of namespaces of generated modules. */
  readonly generatedNamespaces: ReadonlySet<string>;
}

export interface HandlerSyntaxError {
  readonly path: string;
  readonly span: Span;
  readonly message: string;
}

export interface HandlerIndex {
  readonly references: readonly HandlerReference[];
  readonly serviceReferences: readonly ServiceReference[];
  readonly containers: readonly HandlerContainer[];
  readonly imports: readonly GeneratedImport[];
  readonly typeNames: readonly TypeName[];
  readonly files: ReadonlyMap<string, FileFacts>;
  readonly syntaxErrors: readonly HandlerSyntaxError[];
}

/** The path that a relative import leads to, among those that are known: `"./a.js"` may be `a.ts`. */
export function resolveImport(
  from: string,
  specifier: string,
  isKnown: (path: string) => boolean,
): string | undefined {
  if (!/^[.]{1,2}(\/|$)/.test(specifier)) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  const bare = path.replace(/[.]([cm]?)js$/, ".$1ts");
  return [path, bare, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(isKnown);
}
