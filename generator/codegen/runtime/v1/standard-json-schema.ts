/** JSON Schemas of Standard Schemas, as `StandardJSONSchemaV1` of https://standardschema.dev returns them. */
import type { StandardSchema } from "./standard-schema.ts";

export type JsonSchema = Record<string, unknown>;

/** Options of a conversion. The only supported target is `draft-2020-12`. */
export interface JsonSchemaOptions {
  readonly target: string;
}

/** Compatible with `StandardSchemaV1` and `StandardJSONSchemaV1` of `@standard-schema/spec`. */
export interface StandardJsonSchema<Input, Output> {
  readonly "~standard": StandardSchema<Input, Output>["~standard"] & {
    readonly jsonSchema: {
      /** The JSON that requests accept. */
      readonly input: (options: JsonSchemaOptions) => JsonSchema;
      /** The JSON of a validated value. */
      readonly output: (options: JsonSchemaOptions) => JsonSchema;
    };
  };
}

/** The JSON Schema of a type. Its references start with `#/$defs/`. */
export interface Definition {
  readonly name: string;
  readonly schema: Readonly<JsonSchema>;
  /** The definitions to which the schema refers. */
  readonly uses: () => readonly Definition[];
}

/** `output` is undefined if validated values contain bigints or Dates. */
export function withJsonSchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  input: Definition,
  output: Definition | undefined,
): StandardJsonSchema<Input, Output> {
  return {
    "~standard": {
      ...schema["~standard"],
      jsonSchema: {
        input: ({ target }) => documentOf(input, target),
        output: ({ target }) => {
          if (output !== undefined) return documentOf(output, target);
          throw new Error(
            `JSON Schema cannot describe the output of "${input.name}": it contains bigints or Dates.`,
          );
        },
      },
    },
  };
}

function documentOf({ schema, uses }: Definition, target: string): JsonSchema {
  if (target !== "draft-2020-12")
    throw new Error(`The JSON Schema target "${target}" is not supported. Use "draft-2020-12".`);
  const found = new Set(uses());
  // Iterating a Set includes elements added during the loop.
  for (const definition of found) for (const used of definition.uses()) found.add(used);
  const $defs = Object.fromEntries([...found].map((one) => [one.name, one.schema]));
  const whole = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schema,
    ...(found.size === 0 ? {} : { $defs }),
  };
  // A copy: callers may change what they get.
  return JSON.parse(JSON.stringify(whole));
}
