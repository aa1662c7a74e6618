import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import type { Side } from "../../plan/constraints.ts";
import { camelCase, claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedEnum } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import { typeText } from "../../plan/type-text.ts";
import type { ValueForms } from "../../plan/value-forms.ts";
import { literal } from "../text.ts";
import type { Check, FunctionSource } from "./check.ts";
import { regexLiteral, shapeName } from "./code.ts";
import { aliasOf, type ConstrainedType, constrainedTypeKey } from "./constrained-type.ts";
import { listLines, mapLines } from "./container.ts";
import { DepthRules } from "./depth.ts";
import { expectedEnum } from "./expected.ts";
import type { Declaration } from "./file-split.ts";
import { bytesScalar, coreScalar, type Scalar } from "./scalar.ts";
import { structLines } from "./struct.ts";

/** Names that every function uses for itself. */
const ownNames: readonly string[] = ["v", "value", "depth", "faults", "item", "key", "index"];

/**
 * The functions of one side. Each is printed when it is first asked for, so that files hold what their methods reach and nothing
 * else; equal shapes share one.
 */
export class FunctionRegistry implements FunctionSource {
  readonly types: TypeFinder;
  readonly side: Side;
  readonly forms: ValueForms;
  readonly depths: DepthRules;
  /** In the order of first use. */
  readonly #constants: Declaration[] = [];
  readonly #functions: Declaration[] = [];
  /** Printed one after the other and not inside of each other: chains of types may be longer than the call stack. */
  readonly #pending: { readonly name: string; readonly print: () => string[] }[] = [];
  /** What the function that is being printed has asked for. */
  #uses = new Set<string>();
  readonly #nameByKey = new Map<string, string>();
  /** Beside those of every function they are the names of the functions for whole bodies. */
  readonly #taken: Set<string>;
  readonly #sharesFileWithRequests: boolean;

  /** `taken`: the names of the file, where both sides share one. */
  constructor(plan: Plan, side: Side, taken: Set<string> = new Set()) {
    this.#taken = taken;
    for (const name of ownNames) taken.add(name);
    this.#sharesFileWithRequests = side === "response" && plan.layout === "single";
    this.types = new TypeFinder(plan);
    this.side = side;
    this.forms = plan;
    this.depths = new DepthRules(plan.facts, side);
    const verbs = ["read", "check", "write"];
    for (const { name } of plan.types) for (const verb of verbs) this.#taken.add(`${verb}${name}`);
  }

  /** A function that callers ask for by its name. */
  root(name: string, print: () => string[]): void {
    this.#functions.push(this.#declare(name, print));
  }

  /** Prints all that was asked for, and what that asks for: the constants, then the functions in the order of asking. */
  printAll(): readonly Declaration[] {
    // The list grows while it is read.
    for (const { name, print } of this.#pending) this.#functions.push(this.#declare(name, print));
    return [...this.#constants, ...this.#functions];
  }

  #declare(name: string, print: () => string[]): Declaration {
    this.#uses = new Set();
    return { name, lines: print(), uses: this.#uses };
  }

  /** All names of the file, which locals keep clear of. */
  get names(): ReadonlySet<string> {
    return this.#taken;
  }

  claim(wanted: string): string {
    return claimName(wanted, this.#taken);
  }

  /** `name` is what a place without a type of its own is called. */
  check(site: ConstrainedType, name = "item"): Check {
    const end = this.types.unaliased(site.type);
    switch (end.kind) {
      case "unknown":
        return { kind: "any" };
      case "struct":
        return this.#call(site, end, (own) => structLines(this.types.struct(end.name), own, this));
      case "map":
        return this.#call(site, end, (own) => mapLines(end, site.constraints, own, this));
      case "enum":
        return this.#enum(end.name);
      case "list":
        if (isBytes(end)) return this.#scalar(site, bytesScalar(site.constraints), name);
        return this.#call(site, end, (own) => listLines(end, site.constraints, own, this));
      case "core": {
        const scalar = coreScalar(end.name, site.constraints, this);
        return scalar === undefined ? { kind: "any" } : this.#scalar(site, scalar, name);
      }
    }
  }

  /** A switch, since a condition of thousands of names is more than compilers take. */
  enumTest(type: PlannedEnum): string {
    return this.#function(`enum ${type.name}`, `is${withoutEscape(type.name)}`, (own) => [
      `function ${own}(value: unknown): boolean {`,
      "  switch (value) {",
      ...type.values.map(({ wire }) => `    case ${literal(wire)}:`),
      // Without a value nothing fits.
      ...(type.values.length === 0 ? [] : ["      return true;"]),
      "    default:",
      "      return false;",
      "  }",
      "}",
    ]);
  }

  #call(site: ConstrainedType, end: ResolvedType, print: (name: string) => string[]): Check {
    const shape = end.kind === "struct" ? end : (this.#aliasType(site) ?? end);
    const name = this.#function(constrainedTypeKey(site, this.types), functionName(shape), print);
    const takesDepth = this.depths.takesDepth(end);
    return {
      kind: "faults",
      call: (value, depth) => `${name}(${value}${takesDepth ? `, ${depth}` : ""})`,
    };
  }

  #aliasType(site: ConstrainedType): ResolvedType | undefined {
    return aliasOf(site, this.types) === undefined ? undefined : site.type;
  }

  #scalar(site: ConstrainedType, scalar: Scalar, place: string): Check {
    const end = this.types.unaliased(site.type);
    const alias = aliasOf(site, this.types);
    const needsFunction = scalar.decoders.length > 0 || scalar.finish !== undefined;
    const expected = this.#expected(alias, scalar.expected);
    if (needsFunction) {
      const name = this.#function(constrainedTypeKey(site, this.types), `to${shapeName(site.type)}`, (own) =>
        decoderLines(own, scalar, this.#pattern(site, place), typeText(end, String, this.forms)),
      );
      return { kind: "decode", functionName: name, expected };
    }
    if (alias === undefined) {
      const pattern = this.#pattern(site, place);
      return { kind: "test", test: (name) => scalar.test(name, pattern), expected };
    }
    const name = this.#function(constrainedTypeKey(site, this.types), `is${withoutEscape(alias)}`, (own) => [
      `function ${own}(value: unknown): boolean {`,
      `  return ${scalar.test("value", this.#pattern(site, place))};`,
      "}",
    ]);
    return { kind: "test", test: (value) => `${name}(${value})`, expected };
  }

  #enum(modelName: string): Check {
    const type = this.types.enum(modelName);
    const expected = this.#expected(type.name, expectedEnum(type));
    const hasNumbers = this.side === "request" && type.values.some(({ number }) => number !== undefined);
    if (!hasNumbers) {
      const name = this.enumTest(type);
      return { kind: "test", test: (value) => `${name}(${value})`, expected };
    }
    const name = this.#function(`numbered enum ${type.name}`, `to${withoutEscape(type.name)}`, (own) => [
      `function ${own}(value: unknown): string | undefined {`,
      "  switch (value) {",
      ...type.values.flatMap(({ wire, number }) => [
        `    case ${literal(wire)}:`,
        ...(number !== undefined && /^-?[0-9]+$/.test(number) ? [`    case ${number}:`] : []),
        `      return ${literal(wire)};`,
      ]),
      "    default:",
      "      return undefined;",
      "  }",
      "}",
    ]);
    return { kind: "decode", functionName: name, expected };
  }

  #function(key: string, wanted: string, print: (name: string) => string[]): string {
    return this.#named(key, wanted, (name) => this.#pending.push({ name, print: () => print(name) }));
  }

  /** The words for a named type are a constant, others stand where they are used. */
  #expected(name: string | undefined, words: string): string {
    if (name === undefined) return literal(words);
    return this.#constant(
      `expected ${name} ${words}`,
      `${camelCase(name)}Expected`,
      "string",
      literal(words),
    );
  }

  #pattern({ type, constraints: { pattern } }: ConstrainedType, place: string): string {
    if (pattern === undefined) return "";
    const wanted = `${camelCase(type.kind === "alias" ? type.name : place)}Pattern`;
    return this.#constant(`pattern ${pattern}`, wanted, "RegExp", regexLiteral(pattern));
  }

  #constant(key: string, wanted: string, type: "string" | "RegExp", text: string): string {
    return this.#named(key, wanted, (name) =>
      this.#constants.push({ name, lines: [`const ${name}: ${type} = ${text};`], uses: new Set() }),
    );
  }

  #named(key: string, wanted: string, make: (name: string) => void): string {
    let name = this.#nameByKey.get(key);
    if (name === undefined) {
      name = this.claim(this.#sharesFileWithRequests ? `response${pascalCase(wanted)}` : wanted);
      this.#nameByKey.set(key, name);
      make(name);
    }
    this.#uses.add(name);
    return name;
  }
}

function functionName(shape: ResolvedType): string {
  return `faultsIn${shapeName(shape)}`;
}

/** `function toTokenId(value: unknown): string | undefined`: other forms first, then the test, then what makes it canonical. */
function decoderLines(
  name: string,
  { decoders, test, finish = (own) => own }: Scalar,
  pattern: string,
  canonical: string,
): string[] {
  const [own, decoded] =
    decoders.length === 0
      ? ["value", []]
      : ["own", [`  const own = ${decoders.reduce((inner, decoder) => `v.${decoder}(${inner})`, "value")};`]];
  return [
    `function ${name}(value: unknown): ${canonical} | undefined {`,
    ...decoded,
    `  return ${test(own, pattern)} ? ${finish(own)} : undefined;`,
    "}",
  ];
}
