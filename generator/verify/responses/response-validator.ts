import type { Format } from "ajv";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { withoutEscape } from "../../codegen/plan/names.ts";
import { integers } from "../../language/model/core-types.ts";
import { checkedFormats, hasFormat } from "../../language/model/meta/keys.ts";
import type { LoadedContract } from "../in-memory/load.ts";

/** A part of a response that does not fit the contract. `breaks`: clients fail; `differs`: clients pass the value on. */
export interface Mismatch {
  readonly verdict: "breaks" | "differs";
  /** `/pet/age must be integer`. */
  readonly message: string;
}

/** Checks the JSON of responses against the JSON Schema of a contract. */
export class ResponseValidator {
  readonly #ajv: Ajv2020;
  readonly #schema: LoadedContract["jsonSchema"];

  private constructor(ajv: Ajv2020, jsonSchema: LoadedContract["jsonSchema"]) {
    this.#ajv = ajv;
    this.#schema = jsonSchema;
  }

  /** `checksFormats` is off when two versions are compared, because clients do not check formats. */
  static async of(
    jsonSchema: LoadedContract["jsonSchema"],
    { checksFormats = false }: { readonly checksFormats?: boolean } = {},
  ): Promise<ResponseValidator> {
    const { Ajv2020 } = await import("ajv/dist/2020.js");
    const ajv = new Ajv2020({
      strict: false,
      // Otherwise, Ajv warns about every custom format.
      logger: false,
      allErrors: true,
      verbose: true,
      // Otherwise, every object has a field named `constructor`.
      ownProperties: true,
      validateFormats: checksFormats,
      formats,
      // ridlkit generated the schema, and checking a large one against the meta-schema takes longer than checking all responses.
      validateSchema: false,
    });
    ajv.addSchema(jsonSchema);
    return new ResponseValidator(ajv, jsonSchema);
  }

  /** All mismatches, those that break clients first. */
  mismatches(typeName: string, response: unknown): readonly Mismatch[] {
    const validate = this.#validator(withoutEscape(typeName));
    if (validate(response)) return [];
    const errors = withoutOtherKinds(validate.errors ?? []);
    // Errors from the null branch of a nullable type hide the actual problem.
    const relevant = errors.filter(({ keyword, params }) => keyword !== "anyOf" && params["type"] !== "null");
    const mismatches = (relevant.length === 0 ? errors : relevant).map(
      (error): Mismatch => ({
        verdict: isTolerable(error) ? "differs" : "breaks",
        message: `${error.instancePath || "the response"} ${error.message ?? "does not fit"}`,
      }),
    );
    return mismatches.toSorted((a, b) => Number(a.verdict === "differs") - Number(b.verdict === "differs"));
  }

  #validator(name: string): ValidateFunction {
    const definition = `${name}.response` in this.#schema.$defs ? `${name}.response` : name;
    const validate = this.#ajv.getSchema(`${this.#schema.$id}#/$defs/${definition}`);
    if (validate === undefined) throw new Error(`no definition "${definition}"`);
    return validate as ValidateFunction;
  }
}

/**
 * Removes what ajv reports about the kinds that a value does not have: only the branch of its own kind explains what is wrong. The
 * property itself reports an unknown kind.
 */
function withoutOtherKinds(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const removed = new Set<ErrorObject>();
  for (const union of errors.filter(({ keyword }) => keyword === "oneOf")) {
    const prefix = `${union.schemaPath}/`;
    const branches = new Map<string, ErrorObject[]>();
    for (const error of errors) {
      const path = error.instancePath.slice(union.instancePath.length);
      const isOwn = error.instancePath.startsWith(union.instancePath) && /^([/][^/]*)?$/.test(path);
      if (!isOwn || !error.schemaPath.startsWith(prefix)) continue;
      const branch = error.schemaPath.slice(prefix.length).split("/", 1)[0] ?? "";
      branches.set(branch, [...(branches.get(branch) ?? []), error]);
    }
    const others = [...branches.values()].filter((found) => found.some(({ keyword }) => keyword === "enum"));
    if (others.length === 0) continue;
    for (const error of [union, ...others.flat()]) removed.add(error);
  }
  return errors.filter((error) => !removed.has(error));
}

/** The limits of the integer types. Exceeding one is a type error, not a violated constraint. */
const integerLimits: ReadonlySet<number> = new Set(
  Object.values(integers).flatMap(({ range }) => [range.low, range.high]),
);

/** Keywords whose violation clients tolerate. */
const tolerableKeywords: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "not",
  "enum",
]);

/** Whether clients pass the value on: it exceeds a limit, or is an unknown enum value. */
function isTolerable({ keyword, params, parentSchema }: ErrorObject): boolean {
  if (keyword === "pattern")
    return parentSchema?.["contentEncoding"] === undefined && parentSchema?.["format"] === undefined;
  if (keyword === "minimum" || keyword === "maximum") return !integerLimits.has(Number(params["limit"]));
  return tolerableKeywords.has(keyword);
}

/** What servers check, and the ranges of numbers. */
export const formats: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(
    Object.keys(checkedFormats).map((format) => [format, (text: string) => hasFormat(text, format)]),
  ),
  int32: { type: "number", validate: within(-(2 ** 31), 2 ** 31 - 1) },
  // JSON.parse rounds large numbers, so values up to 1,024 above the range pass.
  int64: { type: "number", validate: within(-(2 ** 63), 2 ** 63) },
  uint64: { type: "number", validate: within(0, 2 ** 64) },
};

function within(low: number, high: number): (value: number) => boolean {
  return (value) => value >= low && value <= high;
}
