import type { Json } from "../../plan/json.ts";
import { hasReads, hasRoutes, type Plan, type PlannedError, type PlannedMethod } from "../../plan/plan.ts";
import { commonErrors } from "../errors/unions.ts";

/** Errors that only clients raise, or that have no caller to receive them. */
const unsentCodes: ReadonlySet<number> = new Set([-1, -8, -9, -10]);

const badMethod = -3;
const badRequest = -4;

const issuesSchema: Json = {
  type: "array",
  maxItems: 20,
  description: "The invalid values of the request. Absent if the body cannot be read as JSON or a form.",
  items: {
    type: "object",
    properties: {
      message: { type: "string", examples: ["expected text of 1 to 64 characters, found nothing"] },
      path: {
        type: "array",
        description: "Keys and list indexes from the root of the body. Empty for the body itself.",
        items: { type: ["string", "integer"] },
        examples: [["input", 3, "orderId"]],
      },
      expected: { type: "string", examples: ["text of 1 to 64 characters"] },
      found: {
        type: "string",
        maxLength: 60,
        description: "The value that was sent, shortened. Only its kind for secret or personal fields.",
        examples: ["nothing"],
      },
    },
    required: ["message", "path", "expected", "found"],
  },
};

/** Collects error responses. Methods with the same errors share one. */
export class ErrorRegistry {
  readonly #plan: Plan;
  readonly #common: readonly PlannedError[];
  /** Whether paths are called by other HTTP methods than POST. */
  readonly #hasVerbs: boolean;
  /** By name, in the order of first use. */
  readonly #responses = new Map<string, Json>();
  readonly #nameByErrors = new Map<string, string>();

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#hasVerbs = hasRoutes(plan) || hasReads(plan);
    this.#common = commonErrors(plan).filter(({ code }) => !unsentCodes.has(code));
  }

  /** Returns the error responses of a method by status: `{ "404": { $ref: "#/components/responses/Status404" } }`. */
  ofMethod({ errors }: PlannedMethod): Readonly<Record<string, Json>> {
    const own = errors ?? this.#plan.errors.filter(({ builtin }) => !builtin);
    const byStatus = new Map<number, PlannedError[]>();
    for (const error of new Set([...own, ...this.#common])) {
      const known = byStatus.get(error.httpStatus);
      if (known === undefined) byStatus.set(error.httpStatus, [error]);
      else known.push(error);
    }
    const statuses = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      statuses.map(([status, group]) => [String(status), this.#response(status, group)]),
    );
  }

  /** Returns a schema for each error, with its own `code` and `error`. */
  schemas(): Readonly<Record<string, Json>> {
    const sent = this.#plan.errors.filter(({ code }) => !unsentCodes.has(code));
    return Object.fromEntries(sent.map((error) => [schemaName(error), errorSchema(error)]));
  }

  responses(): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.#responses);
  }

  #response(status: number, errors: readonly PlannedError[]): Json {
    const ordered = errors.toSorted((a, b) => a.code - b.code);
    const key = ordered.map(({ code }) => code).join();
    const name = this.#nameByErrors.get(key) ?? this.#claim(status);
    this.#nameByErrors.set(key, name);
    const headers = this.#hasVerbs && ordered.some(({ code }) => code === badMethod) ? allowHeader : {};
    if (!this.#responses.has(name)) this.#responses.set(name, errorResponse(ordered, headers));
    return { $ref: `#/components/responses/${name}` };
  }

  #claim(status: number): string {
    const wanted = `Status${status}`;
    if (!this.#responses.has(wanted)) return wanted;
    let count = 2;
    while (this.#responses.has(`${wanted}.${count}`)) count++;
    return `${wanted}.${count}`;
  }
}

/** The dot avoids clashes with the names of types. */
function schemaName({ className }: PlannedError): string {
  return `Error.${className}`;
}

function reference(error: PlannedError): string {
  return `#/components/schemas/${schemaName(error)}`;
}

const allowHeader = {
  Allow: {
    description: "The HTTP methods of the path.",
    schema: { type: "string", examples: ["GET, HEAD, PUT"] },
  },
};

function errorResponse(errors: readonly PlannedError[], headers: { readonly [name: string]: Json }): Json {
  const [only] = errors;
  const schema: Json =
    errors.length === 1 && only !== undefined
      ? { $ref: reference(only) }
      : {
          oneOf: errors.map((error) => ({ $ref: reference(error) })),
          discriminator: {
            propertyName: "error",
            mapping: Object.fromEntries(errors.map((error) => [error.name, reference(error)])),
          },
        };
  const description = errors.map(({ name, code, message }) => `${name} (${code}): ${message}`).join("\n");
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { "application/json": { schema } },
  };
}

function errorSchema({ name, code, message, httpStatus, docs }: PlannedError): Json {
  const description = docs.join("\n").trim();
  return {
    title: name,
    ...(description === "" ? {} : { description }),
    type: "object",
    properties: {
      error: { type: "string", const: name },
      code: { type: "integer", const: code },
      msg: { type: "string", examples: [message] },
      cause: { type: "string", description: "Details, if the server discloses them." },
      status: { type: "integer", const: httpStatus },
      ...(code === badRequest && { issues: issuesSchema }),
    },
    required: ["error", "code", "msg", "status"],
  };
}
