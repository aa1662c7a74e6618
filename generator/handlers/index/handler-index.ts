import { createRequire } from "node:module";
import { posix } from "node:path";
import type * as morph from "ts-morph";
import type { Node, ts } from "ts-morph";
import type { Span } from "../../language/source/span.ts";

/** The ts-morph module. It is slow to load, so callers import it lazily and pass it in. */
export type TsMorph = typeof morph;

/** A reference in hand-written code to a method of the schema. */
export interface HandlerReference {
  /** `type`: `MarketplaceHandlers["GetOrders"]`; `property`: of an object of handlers; `member`: of a class; `export`: of a module. */
  readonly kind: "type" | "property" | "member" | "export";
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** Span of the name, without quotes. */
  readonly span: Span;
  readonly isQuoted: boolean;
  /** Whether this is a shorthand property, `{ GetOrders }`, which also names a variable. */
  readonly isShorthand: boolean;
  /** Whether this is the handler itself, not only a mention. */
  readonly isHandler: boolean;
  /** Export name of a typed handler. */
  readonly exportName?: string | undefined;
}

/** A reference to a service: a key of the object of all handlers, or `Handlers["Marketplace"]`. */
export interface ServiceReference {
  readonly service: string;
  readonly path: string;
  readonly span: Span;
  readonly isQuoted: boolean;
  readonly isShorthand: boolean;
}

/** An object, class or module that registers the handlers of a service, and to which handlers can be added. */
export interface HandlerContainer {
  /** Undefined for the object with all services. */
  readonly service: string | undefined;
  readonly kind: "object" | "class" | "module";
  readonly path: string;
  /** The span between the braces, or the whole text of a module. */
  readonly inside: Span;
  /** End of the last member, or the start of `inside` if there is none. */
  readonly lastEnd: number;
  readonly hasTrailingComma: boolean;
  /** Names of the members, including those of resolvable spreads. */
  readonly names: ReadonlySet<string>;
  /** Whether it contains a spread or computed key whose names are unknown. */
  readonly hasUnknownNames: boolean;
}

/** Whether a container is not in a test: objects in tests have only a few methods on purpose. */
export function isProductionCode({ path }: HandlerContainer): boolean {
  return !/[.](test|spec)[.]|(^|\/)(tests?|__tests__)\//.test(path);
}

/** An import of a generated module. */
export interface GeneratedImport {
  readonly path: string;
  readonly specifier: string;
  /** Span of the specifier, without quotes. */
  readonly span: Span;
  /** The imported names, as the module exports them. */
  readonly names: readonly { readonly name: string; readonly span: Span; readonly isAliased: boolean }[];
}

/** A name that is used as a type: `OrdersRequest`, or `types.OrdersRequest` with its qualifier. */
export interface TypeName {
  readonly path: string;
  readonly name: string;
  readonly span: Span;
  readonly qualifier: string | undefined;
  /** Whether type arguments may follow, unlike in `export { Orders }`. */
  readonly isReference: boolean;
}

/** Facts about one file that are needed to edit it. */
export interface FileFacts {
  /** All identifiers, so that new names do not collide with them. */
  readonly identifiers: ReadonlySet<string>;
  /** Names of its exported values, including "default". */
  readonly exports: ReadonlySet<string>;
  /** End of the last import; undefined if there is none. */
  readonly importsEnd: number | undefined;
  /** Relative imports, as written: `"./orders.ts"`. */
  readonly relativeImports: readonly { readonly specifier: string; readonly span: Span }[];
  /** Local names of namespace imports of generated modules. */
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

/** Resolves a relative import to a known path: `"./a.js"` may be `a.ts`. */
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

/** The span of a node without leading comments. */
export function spanOf(node: Node | ts.Node): Span {
  return { start: node.getStart(), end: node.getEnd() };
}

/** The span of a string literal without its quotes. */
export function insideQuotes(literal: Node | ts.Node): Span {
  return { start: literal.getStart() + 1, end: literal.getEnd() - 1 };
}

/** Loads ts-morph. `require` takes half the time of `import`, which first searches the compiler's ten megabytes for exports. */
export function loadTsMorph(): TsMorph {
  return createRequire(import.meta.url)("ts-morph") as TsMorph;
}
