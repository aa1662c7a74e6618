import { commonErrors } from "../../plan/errors.ts";
import type { Json } from "../../plan/json.ts";
import { hasReads, hasRoutes, type Plan, type PlannedError, type PlannedMethod } from "../../plan/plan.ts";
import { reference, type Variants } from "../json-schema/schema-builder.ts";
import type { ComponentNames } from "./component-names.ts";

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
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        examples: [["input", 3, "orderId"]],
      },
      expected: { type: "string", examples: ["text of 1 to 64 characters"] },
      found: {
        type: "string",
        maxLength: 60,
        description: "The value that was sent, shortened. Only its kind for secret or personal fields.",
        examples: ["nothing"],
      },
      code: {
        type: "string",
        description: "`required`, `type`, `enum`, `oneOf`, or the name of the rule that the value breaks.",
        examples: ["maxLength"],
      },
      params: {
        type: "object",
        description: "The limit that the value breaks, by the name of the rule, or the fields of a group.",
        examples: [{ maxLength: 64 }],
      },
    },
    required: ["message", "path", "expected", "found", "code"],
  },
};

/** Collects error responses. Methods with the same errors share one. */
export class ErrorRegistry {
  readonly #plan: Plan;
  readonly #common: readonly PlannedError[];
  /** Whether paths are called by other HTTP methods than POST. */
  readonly #hasVerbs: boolean;
  readonly #names: ComponentNames;
  readonly #variants: Variants;
  /** The names of the errors' schemas, by code. */
  readonly #schemaNames: ReadonlyMap<number, string>;
  /** By name, in the order of first use. */
  readonly #responses = new Map<string, Json>();
  readonly #nameByErrors = new Map<string, string>();

  constructor(plan: Plan, names: ComponentNames, variants: Variants) {
    this.#plan = plan;
    this.#variants = variants;
    this.#names = names;
    const sent = plan.errors.filter(({ code }) => !unsentCodes.has(code));
    this.#schemaNames = new Map(sent.map(({ code, className }) => [code, names.claim(className)]));
    this.#hasVerbs = hasRoutes(plan) || hasReads(plan);
    this.#common = commonErrors(plan).filter(({ code }) => !unsentCodes.has(code));
  }

  /** Returns the error responses of a method by status: `{ "404": { $ref: "#/components/responses/Status404" } }`. */
  ofMethod({ errors }: PlannedMethod): Readonly<Record<string, Json>> {
    const own = errors ?? this.#plan.errors.filter(({ isOfProtocol }) => !isOfProtocol);
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
    return Object.fromEntries(
      sent.map((error) => [this.#schemaNames.get(error.code), errorSchema(error, this.#variants)]),
    );
  }

  responses(): Readonly<Record<string, Json>> {
    return Object.fromEntries(this.#responses);
  }

  #response(status: number, errors: readonly PlannedError[]): Json {
    const ordered = errors.toSorted((a, b) => a.code - b.code);
    const key = ordered.map(({ code }) => code).join();
    const name = this.#nameByErrors.get(key) ?? this.#names.claim(`Status${status}`, ["Response"]);
    this.#nameByErrors.set(key, name);
    const headers = this.#hasVerbs && ordered.some(({ code }) => code === badMethod) ? allowHeader : {};
    if (!this.#responses.has(name)) this.#responses.set(name, this.#errorResponse(ordered, headers));
    return { $ref: `#/components/responses/${name}` };
  }

  #errorResponse(errors: readonly PlannedError[], headers: { readonly [name: string]: Json }): Json {
    const [only] = errors;
    const schema: Json =
      errors.length === 1 && only !== undefined
        ? { $ref: this.#reference(only) }
        : {
            oneOf: errors.map((error) => ({ $ref: this.#reference(error) })),
            discriminator: {
              propertyName: "error",
              mapping: Object.fromEntries(errors.map((error) => [error.name, this.#reference(error)])),
            },
          };
    const description = errors.map(({ name, code, message }) => `${name} (${code}): ${message}`).join("\n");
    return {
      description,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: { "application/json": { schema } },
    };
  }

  #reference({ code }: PlannedError): string {
    return `#/components/schemas/${this.#schemaNames.get(code)}`;
  }
}

const allowHeader = {
  Allow: {
    description: "The HTTP methods of the path.",
    schema: { type: "string", examples: ["GET, HEAD, PUT"] },
  },
};

function errorSchema(
  { name, code, message, httpStatus, docs, data }: PlannedError,
  variants: Variants,
): Json {
  const description = docs.join("\n").trim();
  return {
    ...(description === "" ? {} : { description }),
    type: "object",
    properties: {
      error: { type: "string", const: name },
      code: { type: "integer", const: code },
      msg: { type: "string", examples: [message] },
      cause: { type: "string", description: "Details, if the server discloses them." },
      status: { type: "integer", const: httpStatus },
      ...(code === badRequest && { issues: issuesSchema }),
      ...(data && { data: reference(data.type, "response", variants) }),
    },
    required: ["error", "code", "msg", "status"],
  };
}
