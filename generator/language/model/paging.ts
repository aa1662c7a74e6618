/**
 * Reads `@paging:"SIZE,PAGE,MORE,ITEMS"`: how a list is read page by page. Modeled on the trait `paginated` of Smithy. Paths
 * consist of wire names: `limit`, or `page.size` for a field of a struct.
 */
import {
  type Field,
  FieldFinder,
  type Found,
  fault,
  isCore,
  isInteger,
  type Path,
  type PathFault,
} from "./field-paths.ts";
import type { MethodModel, PayloadModel, TypeModel } from "./model.ts";
import { isBytes, isSameType, type ResolvedType } from "./types.ts";

export const pagingName = "paging";

export interface PagingModel {
  readonly size: Path;
  readonly page: Path;
  /** Whether `page` is a cursor, which a response has in `more`. Otherwise it is a number. */
  readonly isCursor: boolean;
  /** For numbers, whether another page follows. Undefined: an empty page is the last one. */
  readonly more: Path | undefined;
  /** The list in the response. Undefined if none can be chosen; `fault` is then set. */
  readonly items: Path | undefined;
  readonly fault?: PathFault;
}

/** Names of response fields for "another page follows". The mock sets them in every list. */
export const moreNames: ReadonlySet<string> = new Set(["more", "hasMore", "hasNext", "hasNextPage"]);

/** Returns undefined for a method without the annotation. */
export function readPaging(
  method: MethodModel,
  typeOf: (name: string) => TypeModel | undefined,
): PagingModel | PathFault | undefined {
  const annotation = method.annotations.find(({ name }) => name === pagingName);
  return annotation && new PagingReader(method, typeOf).read(annotation.value ?? "");
}

class PagingReader {
  readonly #method: MethodModel;
  readonly #finder: FieldFinder;

  constructor(method: MethodModel, typeOf: (name: string) => TypeModel | undefined) {
    this.#method = method;
    this.#finder = new FieldFinder(typeOf);
  }

  read(text: string): PagingModel | PathFault {
    const { input, output, fileOutput, streamInput, streamOutput } = this.#method;
    if (fileOutput || streamInput || streamOutput)
      return fault(`a ${fileOutput ? "file" : "stream"} has no pages`, "Remove the annotation.");
    const [sizePath = "", pagePath = "", morePath = "", itemsPath = "", ...rest] = text
      .split(",")
      .map((path) => path.trim());
    if (sizePath === "" || pagePath === "" || rest.length > 0)
      return fault("it needs two to four names of fields", 'Write @paging:"size,page,more,items".');
    const size = this.#finder.find(sizePath, input, "request");
    if ("reason" in size) return size;
    const page = this.#finder.find(pagePath, input, "request");
    if ("reason" in page) return page;
    const broken = this.#requestFault(size, page);
    if (broken !== undefined) return broken;
    const more =
      morePath === "" ? this.#onlyField(output, isMore) : this.#finder.find(morePath, output, "response");
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

  #requestFault(size: Found, page: Found): PathFault | undefined {
    if (!isInteger(size.type))
      return fault(`"${size.path.join(".")}" is not an integer`, "The first name is that of the page size.");
    return this.#finder.requestFault(page);
  }

  #mismatch(page: Found, more: Found | undefined): PathFault | undefined {
    const pageName = page.path.join(".");
    if (more === undefined || isCore(more.type, "bool"))
      return isInteger(page.type)
        ? undefined
        : fault(
            `"${pageName}" is not an integer`,
            `If "${pageName}" is a cursor, name the response field with the next one: @paging:"size,${pageName},next".`,
          );
    const isCursor = isInteger(page.type) || isCore(page.type, "string");
    return isCursor && isSameType(page.type, more.type)
      ? undefined
      : fault(
          `"${more.path.join(".")}" is neither a bool nor a cursor of the type of "${pageName}"`,
          "Cursors are strings or integers, of the same type in request and response.",
        );
  }

  #items(path: string): Found | PathFault {
    const { output } = this.#method;
    if (path !== "") {
      const found = this.#finder.find(path, output, "response");
      return "reason" in found || isList(found.type) ? found : fault(`"${path}" is not a list`, nameItems);
    }
    return (
      this.#onlyField(output, ({ type }) => isList(type)) ??
      fault("the response does not have exactly one list", nameItems)
    );
  }

  /** Searches the fields of a body, and those of the struct that is its only field. */
  #onlyField(payload: PayloadModel, isWanted: (field: Field) => boolean): Found | undefined {
    const outer = this.#finder.payloadFields(payload);
    const [only] = outer;
    const wrapped = outer.length === 1 && only !== undefined ? this.#finder.fieldsOf(only.type) : [];
    const isWrapped = only !== undefined && wrapped.length > 0;
    const found = (isWrapped ? wrapped : outer)
      .map((field) => ({ ...field, type: this.#finder.unaliased(field.type) }))
      .filter(isWanted);
    const [field] = found;
    if (field === undefined || found.length > 1) return undefined;
    const fields = isWrapped ? [only, field] : [field];
    return { path: fields.map(({ name }) => name), fields, type: field.type };
  }
}

const nameItems = 'Name the list: @paging:"size,page,more,items". The third name may be empty.';

function isMore({ name, type }: Field): boolean {
  return moreNames.has(name) && isCore(type, "bool");
}

function isList(type: ResolvedType): boolean {
  return type.kind === "list" && !isBytes(type);
}
