import { coreTypes } from "../../../language/model/core-types.ts";
import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import type { EmittedFile, Options } from "../../options.ts";
import { isMarked } from "../../plan/marked-fields.ts";
import {
  isOmitted,
  type Plan,
  type PlannedField,
  type PlannedStruct,
  type TypeFinder,
} from "../../plan/plan.ts";
import { contractCheck } from "../imports.ts";
import { template } from "../render.ts";
import { header, literal, literalKey } from "../text.ts";
import ownTemplate from "./recorder.hbs";

const print = template<RecorderView>(ownTemplate);

/** Emits `recorder.ts`: what a recording may contain. Emits nothing without a server. */
export function emitRecorder(plan: Plan, { templates }: Options): readonly EmittedFile[] {
  const services = plan.services.filter(({ methods }) => !methods.every(isOmitted));
  if (services.length === 0) return [];
  const text = print(viewRecorder({ ...plan, services }), templates.overrides);
  return [{ path: "recorder.ts", text }];
}

/** A `RecordedShape` of the runtime, as code: `"text"`, `{ list: { struct: "Pet" } }`. */
type Shape = string;

const hidden: Shape = '"hidden"';
const text: Shape = '"text"';

interface RecorderView {
  readonly header: string;
  readonly contractCheck: string;
  readonly schemaHash: string;
  readonly isWide: boolean;
  readonly structs: readonly string[];
  readonly aliases: readonly string[];
  readonly methods: readonly string[];
}

function viewRecorder(plan: Plan): RecorderView {
  const shapes = new Shapes(plan);
  const structs = plan.types.filter(
    (type): type is PlannedStruct => type.kind === "struct" && (type.inRequests || type.inResponses),
  );
  const methods = plan.services.flatMap((service) => service.methods.filter((one) => !isOmitted(one)));
  const structLines = structs.map((struct) => structLine(struct, shapes));
  return {
    header: header(plan.schemaFile),
    contractCheck,
    schemaHash: literal(plan.schemaHash),
    isWide: plan.int64 === "bigint",
    structs: structLines,
    aliases: [...shapes.aliases].map(([name, shape]) => shapeLine(name, shape)),
    methods: methods.map(
      ({ path, request, response }) =>
        `${literalKey(path)}: { request: ${literal(request.typeName)}, response: ${literal(response.typeName)} }`,
    ),
  };
}

/** Without fields, two spaces remain between the brackets. */
function structLine({ name, fields }: PlannedStruct, shapes: Shapes): string {
  const texts = fields.flatMap((field) => fieldLines(field, shapes));
  return `${literalKey(name)}: { ${texts.join(", ")} }${asConst(name)}`;
}

/** Returns one line for each name that the field has on the wire. */
function fieldLines({ wireName, aliases, twins, type, constraints }: PlannedField, shapes: Shapes): string[] {
  const shape = isMarked(constraints) ? hidden : shapes.of(type);
  const line = shapeLine(wireName, shape);
  return aliases.length === 0 && twins.length === 0
    ? [line]
    : [line, ...[...aliases, ...twins].map((name) => shapeLine(name, shape))];
}

function shapeLine(name: string, shape: Shape): string {
  return `${literalKey(name)}: ${shape}${asConst(name)}`;
}

/**
 * For inherited names such as `constructor`, TypeScript infers the type of the inherited property and would widen the
 * literal.
 */
function asConst(name: string): string {
  return name in Object.prototype ? " as const" : "";
}

class Shapes {
  readonly #types: TypeFinder;
  /** Shapes of recursive aliases, by name. */
  readonly aliases = new Map<string, Shape>();

  constructor(plan: Plan) {
    this.#types = plan.finder;
  }

  /** `inside`: the enclosing aliases. */
  of(type: ResolvedType, inside: readonly string[] = []): Shape {
    switch (type.kind) {
      case "core":
        return literal(coreTypes[type.name].recorded);
      case "enum":
        return text;
      case "struct":
        return `{ struct: ${literal(type.name)} }`;
      case "list":
        return isBytes(type) ? text : `{ list: ${this.of(type.element, inside)} }`;
      case "map":
        return `{ map: ${this.of(type.value, inside)} }`;
      case "alias":
        return this.#alias(type.name, inside);
      case "unknown":
        return hidden;
    }
  }

  #alias(name: string, inside: readonly string[]): Shape {
    const { constraints, type } = this.#types.alias(name);
    if (isMarked(constraints)) return hidden;
    if (!inside.includes(name)) return this.of(type, [...inside, name]);
    if (!this.aliases.has(name)) {
      // Set before the shape is computed, because the shape refers to the alias.
      this.aliases.set(name, hidden);
      this.aliases.set(name, this.of(type, [name]));
    }
    return `{ alias: ${literal(name)} }`;
  }
}
