/** Documents of schemas with routes, and their parts. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { emitOpenapi } from "../../generator/codegen/emit/openapi/index.ts";
import type { OpenapiOptions } from "../../generator/codegen/options.ts";
import type { Int64Form } from "../../generator/codegen/plan/type-text.ts";
import { planOf } from "../support/sample-plan.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: Schema;
  readonly [keyword: string]: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly [keyword: string]: unknown;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Schema>>;
  };
}

/** The schemas with routes: each by its name in tests. */
export const routedSchemas: Readonly<Record<"items" | "parks" | "reads", string>> = {
  reads: textOf("../fixtures/reads/schema.ridl"),
  items: textOf("../fixtures/routes/schema.ridl"),
  parks: textOf("routes.ridl"),
};

function textOf(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
}

export function openapiText(schema: string, int64: Int64Form, options: OpenapiOptions = {}): string {
  const plan = planOf({ "schema.ridl": schema }, "schema.ridl", { int64 });
  return emitOpenapi(plan, options)[0]?.text ?? "";
}

export function openapiDocument(schema: string, int64: Int64Form = "number"): Document {
  const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } };
  return JSON.parse(openapiText(schema, int64, { format: "json", securitySchemes })) as Document;
}
