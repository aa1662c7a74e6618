/**
 * Reads `@paging:"SIZE,PAGE,MORE,ITEMS"`: how a list is read page by page. Modelled on the trait `paginated` of Smithy. Paths
 * consist of wire names: `limit`, or `page.size` for a field of a struct.
 */
import type { CoreType } from "./core-types/index.ts";
import { isIntegerType } from "./core-types/integers.ts";
import type { ArgumentModel, MethodModel, PayloadModel, TypeModel } from "./model.ts";
import { isBytes, type ResolvedType } from "./types.ts";

export const pagingName = "paging";

/** The wire names that lead to a field. */
export type Path = readonly string[];

export interface PagingModel {
  readonly size: Path;
  readonly page: Path;
  /** Whether `page` is a cursor, which a response has in `more`. Otherwise it is a number. */
  readonly isCursor: boolean;
  /** For numbers, whether another page follows. Undefined: an empty page is the last one. */
  readonly more: Path | undefined;
  /** The list in the response. Undefined if none can be chosen; `fault` is then set. */
  readonly items: Path | undefined;
  readonly fault?: PagingFault;
}

/** Why clients cannot page. */
export interface PagingFault {
  readonly reason: string;
  readonly advice: string;
  /** A misspelt name, and the names of the fields in its place. */
  readonly unknown?: {
    readonly name: string;
    readonly known: readonly string[];
    /** The names in front of it. */
    readonly within: Path;
  };
}

/** Names of response fields for "another page follows". The mock sets them in every list. */
export const moreNames: ReadonlySet<string> = new Set(["more", "hasMore", "hasNext", "hasNextPage"]);

/** Returns undefined for a method without the annotation. */
export function readPaging(
  method: MethodModel,
  typeOf: (name: string) => TypeModel | undefined,
): PagingModel | PagingFault | undefined {
  const annotation = method.annotations.find(({ name }) => name === pagingName);
  return annotation && new PagingReader(method, typeOf).read(annotation.value ?? "");
}

/** A field or an argument under its wire name. */
type Field = Pick<ArgumentModel, "name" | "optional" | "type" | "constraints">;

interface Found {
  readonly path: Path;
  readonly fields: readonly Field[];
  readonly type: ResolvedType;
}

class PagingReader {
  readonly #method: MethodModel;
  readonly #typeOf: (name: string) => TypeModel | undefined;

  constructor(method: MethodModel, typeOf: (name: string) => TypeModel | undefined) {
    this.#method = method;
    this.#typeOf = typeOf;
  }

  read(text: string): PagingModel | PagingFault {
    const { input, output, fileOutput, streamInput, streamOutput } = this.#method;
    if (fileOutput || streamInput || streamOutput)
      return fault(`a ${fileOutput ? "file" : "stream"} has no pages`, "Remove the annotation.");
    const [sizePath = "", pagePath = "", morePath = "", itemsPath = "", ...rest] = text
      .split(",")
      .map((path) => path.trim());
    if (sizePath === "" || pagePath === "" || rest.length > 0)
      return fault("it needs two to four names of fields", 'Write @paging:"size,page,more,items".');
    const size = this.#find(sizePath, input, "request");
    if ("reason" in size) return size;
    const page = this.#find(pagePath, input, "request");
    if ("reason" in page) return page;
    const broken = this.#requestFault(size, page);
    if (broken !== undefined) return broken;
    const more = morePath === "" ? this.#onlyField(output, isMore) : this.#find(morePath, output, "response");
    if (more !== undefined && "reason" in more) return more;
    const isCursor = more !== undefined && !isCore(more.type, "bool");
    const mismatch = this.#mismatch(page, more);
    if (mismatch !== undefined) return mismatch;
    const items = this.#items(itemsPath);
    return {
      size: size.path,
      page: page.path,
      isCursor,
      more: more?.path,
      ...("reason" in items ? { items: undefined, fault: items } : { items: items.path }),
    };
  }

  /** Without the structs around the page number, a client cannot build the request of the next page. */
  #requestFault(size: Found, page: Found): PagingFault | undefined {
    if (!isInteger(size.type))
      return fault(`"${size.path.join(".")}" is not an integer`, "The first name is that of the page size.");
    for (const [index, { name, optional, type }] of page.fields.slice(0, -1).entries()) {
      const own = page.path[index + 1];
      const needed = this.#fieldsOf(type).find((field) => field.name !== own && isRequired(field));
      if (optional && needed !== undefined)
        return fault(
          `"${name}" is optional, but "${needed.name}" in it is required`,
          `Make "${name}" required, or give "${needed.name}" a default.`,
        );
    }
    return undefined;
  }

  #mismatch(page: Found, more: Found | undefined): PagingFault | undefined {
    const pageName = page.path.join(".");
    if (more === undefined || isCore(more.type, "bool"))
      return isInteger(page.type)
        ? undefined
        : fault(
            `"${pageName}" is not an integer`,
            `If "${pageName}" is a cursor, name the response field with the next one: @paging:"size,${pageName},next".`,
          );
    const isCursor = isInteger(page.type) || isCore(page.type, "string");
    return isCursor && JSON.stringify(page.type) === JSON.stringify(more.type)
      ? undefined
      : fault(
          `"${more.path.join(".")}" is neither a bool nor a cursor of the type of "${pageName}"`,
          "Cursors are strings or integers, of the same type in request and response.",
        );
  }

  #items(path: string): Found | PagingFault {
    const { output } = this.#method;
    if (path !== "") {
      const found = this.#find(path, output, "response");
      return "reason" in found || isList(found.type) ? found : fault(`"${path}" is not a list`, nameItems);
    }
    return (
      this.#onlyField(output, ({ type }) => isList(type)) ??
      fault("the response does not have exactly one list", nameItems)
    );
  }

  #find(text: string, payload: PayloadModel, side: "request" | "response"): Found | PagingFault {
    const path = text.split(".");
    const fields: Field[] = [];
    let known = this.#payloadFields(payload);
    for (const name of path) {
      const field = known.find((one) => one.name === name);
      if (field === undefined) {
        const within = fields.map((outer) => outer.name);
        const unknown = { name, known: known.map((one) => one.name), within };
        return { ...fault(`the ${side} has no field "${text}"`, "Write names as in JSON."), unknown };
      }
      fields.push(field);
      known = this.#fieldsOf(field.type);
    }
    const { type } = fields.at(-1) as Field;
    return { path, fields, type: this.#unaliased(type) };
  }

  /** Searches the fields of a body, and those of the struct that is its only field. */
  #onlyField(payload: PayloadModel, isWanted: (field: Field) => boolean): Found | undefined {
    const outer = this.#payloadFields(payload);
    const [only] = outer;
    const wrapped = outer.length === 1 && only !== undefined ? this.#fieldsOf(only.type) : [];
    const isWrapped = only !== undefined && wrapped.length > 0;
    const found = (isWrapped ? wrapped : outer)
      .map((field) => ({ ...field, type: this.#unaliased(field.type) }))
      .filter(isWanted);
    const [field] = found;
    if (field === undefined || found.length > 1) return undefined;
    const fields = isWrapped ? [only, field] : [field];
    return { path: fields.map(({ name }) => name), fields, type: field.type };
  }

  #payloadFields(payload: PayloadModel): readonly Field[] {
    return payload.kind === "arguments" ? payload.arguments : this.#fieldsOf(payload);
  }

  /** Returns the fields of a struct, and none for other types. */
  #fieldsOf(type: ResolvedType): readonly Field[] {
    const target = this.#unaliased(type);
    const struct = target.kind === "struct" ? this.#typeOf(target.name) : undefined;
    if (struct?.kind !== "struct") return [];
    return struct.fields.flatMap(({ wireName, optional, type: own, constraints }) =>
      wireName === undefined ? [] : [{ name: wireName, optional, type: own, constraints }],
    );
  }

  #unaliased(type: ResolvedType): ResolvedType {
    const seen = new Set<string>();
    let at = type;
    while (at.kind === "alias" && !seen.has(at.name)) {
      seen.add(at.name);
      const alias = this.#typeOf(at.name);
      if (alias?.kind !== "alias") return { kind: "unknown" };
      at = alias.type;
    }
    return at;
  }
}

const nameItems = 'Name the list: @paging:"size,page,more,items". The third name may be empty.';

function fault(reason: string, advice: string): PagingFault {
  return { reason, advice };
}

function isMore({ name, type }: Field): boolean {
  return moreNames.has(name) && isCore(type, "bool");
}

function isRequired({ optional, constraints }: Field): boolean {
  return !optional && constraints.default === undefined;
}

function isCore(type: ResolvedType, name: CoreType): boolean {
  return type.kind === "core" && type.name === name;
}

function isInteger(type: ResolvedType): boolean {
  return type.kind === "core" && isIntegerType(type.name);
}

function isList(type: ResolvedType): boolean {
  return type.kind === "list" && !isBytes(type);
}
