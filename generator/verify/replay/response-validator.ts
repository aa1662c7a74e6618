import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { withoutEscape } from "../../codegen/plan/names.ts";
import { integers } from "../../language/model/core-types/integers.ts";
import type { LiveContract } from "../live/load.ts";
import { formats } from "./formats.ts";

/** What does not fit in an answer, and how bad that is for those who read it. */
export interface Mismatch {
  readonly verdict: "breaks" | "differs";
  /** `/pet/age must be integer`. */
  readonly message: string;
}

/** Answers of a contract, judged as they stand on the wire. */
export class ResponseValidator {
  readonly #ajv: Ajv2020;
  readonly #schema: LiveContract["jsonSchema"];

  private constructor(ajv: Ajv2020, jsonSchema: LiveContract["jsonSchema"]) {
    this.#ajv = ajv;
    this.#schema = jsonSchema;
  }

  /** Formats are hints for readers, so a comparison of two versions ignores them. */
  static async of(
    jsonSchema: LiveContract["jsonSchema"],
    { checksFormats = false }: { readonly checksFormats?: boolean } = {},
  ): Promise<ResponseValidator> {
    const { Ajv2020 } = await import("ajv/dist/2020.js");
    const ajv = new Ajv2020({
      strict: false,
      // A warning for each unknown format, which is a hint of the schema's own.
      logger: false,
      allErrors: true,
      verbose: true,
      // Else a field named `constructor` is found on every object.
      ownProperties: true,
      validateFormats: checksFormats,
      formats,
      // ridlkit has emitted it: checking a large document against the meta-schema takes longer than all answers.
      validateSchema: false,
    });
    ajv.addSchema(jsonSchema);
    return new ResponseValidator(ajv, jsonSchema);
  }

  /** All that does not fit, the worst first. */
  mismatches(typeName: string, answer: unknown): readonly Mismatch[] {
    const validate = this.#validator(withoutEscape(typeName));
    if (validate(answer)) return [];
    const errors = validate.errors ?? [];
    // What may be null also fails to be null, which says nothing of what it is.
    const telling = errors.filter(({ keyword, params }) => keyword !== "anyOf" && params["type"] !== "null");
    const misfits = (telling.length === 0 ? errors : telling).map(
      (error): Mismatch => ({
        verdict: isTolerable(error) ? "differs" : "breaks",
        message: `${error.instancePath || "the answer"} ${error.message ?? "does not fit"}`,
      }),
    );
    return misfits.toSorted((a, b) => Number(a.verdict === "differs") - Number(b.verdict === "differs"));
  }

  #validator(name: string): ValidateFunction {
    const own = `${name}.response` in this.#schema.$defs ? `${name}.response` : name;
    const validate = this.#ajv.getSchema(`${this.#schema.$id}#/$defs/${own}`);
    if (validate === undefined) throw new Error(`no definition "${own}"`);
    return validate as ValidateFunction;
  }
}

/** Bounds that the types themselves have: past them a value is of another type. */
const limitsOfTypes: ReadonlySet<number> = new Set(
  Object.values(integers).flatMap(({ range }) => [range.low, range.high]),
);

const bounds: ReadonlySet<string> = new Set([
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

/** What readers pass on: a bound that is not kept, and a value of an enum that they do not know. */
function isTolerable({ keyword, params, parentSchema }: ErrorObject): boolean {
  if (keyword === "pattern")
    return parentSchema?.["contentEncoding"] === undefined && parentSchema?.["format"] === undefined;
  if (keyword === "minimum" || keyword === "maximum") return !limitsOfTypes.has(Number(params["limit"]));
  return bounds.has(keyword);
}
