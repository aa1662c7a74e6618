/** What the handlers of reads and of conditional writes receive. */
import { DelegatedContext } from "./delegated-context.ts";
import { listsStrongTag, listsTag, tagOfState } from "./entity-tag.ts";
import type { HandlerContext, HeaderValue } from "./handler.ts";
import { NotModified, type ReadContext, type WriteContext } from "./read-handler.ts";

interface RequestHeaders {
  header(name: string): string | undefined;
}

/** The conditions of a call by GET, HEAD or QUERY, and the tag of its response. */
export class ReadConditions {
  readonly httpMethod: string;
  /** Undefined until the version of the response is known. */
  tag: string | undefined;
  /** What the handler returns if the caller has the current version. */
  result: NotModified | undefined;
  readonly #headers: RequestHeaders;
  /** False while a recorder needs whole responses. */
  readonly #mayOmit: boolean;

  constructor(httpMethod: string, headers: RequestHeaders, mayOmit: boolean) {
    this.httpMethod = httpMethod;
    this.#headers = headers;
    this.#mayOmit = mayOmit;
  }

  /** Whether the caller has this version. */
  isMet(): boolean {
    const known = this.#mayOmit ? this.#headers.header("if-none-match") : undefined;
    return known !== undefined && listsTag(known, this.tag);
  }

  /** The requested part of a file. It is ignored if the caller's first part is of another version. */
  get range(): string | undefined {
    const first = this.#headers.header("if-range")?.trim();
    const isSame = first === undefined || first === this.tag;
    const mayBePart = this.httpMethod === "GET" && this.#mayOmit && isSame;
    return mayBePart ? this.#headers.header("range") : undefined;
  }
}

/** The `ctx` of a read. Without conditions, the call came by POST. */
export class ReadCall extends DelegatedContext implements ReadContext<unknown> {
  readonly #conditions: ReadConditions | undefined;

  constructor(ctx: HandlerContext<unknown>, conditions: ReadConditions | undefined) {
    super(ctx);
    this.#conditions = conditions;
  }

  override setHeader(name: string, value: HeaderValue): void {
    // A shared cache would send the cookie to other callers.
    if (name.toLowerCase() === "set-cookie") throw new TypeError("a method with @cache sets no cookies");
    super.setHeader(name, value);
  }

  notModified(version: string): NotModified | undefined {
    const conditions = this.#conditions;
    if (conditions === undefined) return undefined;
    conditions.tag = tagOfState(version);
    conditions.result = conditions.isMet() ? new NotModified() : undefined;
    return conditions.result;
  }
}

/** The `ctx` of a conditional write. */
export class WriteCall extends DelegatedContext implements WriteContext<unknown> {
  readonly #headers: RequestHeaders;
  readonly #errorName: string;

  constructor(ctx: HandlerContext<unknown>, headers: RequestHeaders, errorName: string) {
    super(ctx);
    this.#headers = headers;
    this.#errorName = errorName;
  }

  requireMatch(version: string | undefined): void {
    const required = this.#headers.header("if-match");
    if (required === undefined) return;
    if (version !== undefined && listsStrongTag(required, tagOfState(version))) return;
    throw this.errors[this.#errorName]?.();
  }
}
