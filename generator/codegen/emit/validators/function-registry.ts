import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import { camelCase, claimName, pascalCase, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedEnum, PlannedStruct, TypeFinder } from "../../plan/plan.ts";
import { typeText, type ValueForms } from "../../plan/type-text.ts";
import type { KindUnion } from "../../plan/unions.ts";
import type { Side } from "../../plan/values.ts";
import { literal } from "../text.ts";
import {
  aliasOf,
  type Check,
  type ConstrainedType,
  constrainedTypeKey,
  DepthRules,
  type Dialect,
  type FaultsCheck,
  type FunctionSource,
  nameList,
  regexLiteral,
  rulesCode,
  shapeName,
  typescript,
} from "./code.ts";
import { listLines, mapLines } from "./container.ts";
import { bytesScalar, coreScalar, expectedEnum, type Scalar } from "./scalar.ts";
import { structLines } from "./struct.ts";

/** A function or constant of the validators. */
export interface ValidatorDeclaration {
  readonly name: string;
  readonly lines: readonly string[];
}

interface RegistryOptions {
  /** The registry of the requests, if responses are in the same file. They share constants and tests of enums. */
  readonly shared?: FunctionRegistry;
  /** Default TypeScript. */
  readonly dialect?: Dialect;
}

const oneValue = { value: "unknown" };

/** Names that every function uses itself. */
const ownNames: readonly string[] = ["v", "value", "depth", "faults", "item", "key", "index", "setCount"];

/**
 * The functions for requests or responses. A function is printed when it is first used, so files contain only what
 * their methods need. Equal types share one function.
 */
export class FunctionRegistry implements FunctionSource {
  readonly types: TypeFinder;
  readonly side: Side;
  readonly forms: ValueForms;
  readonly depths: DepthRules;
  readonly dialect: Dialect;
  /** In the order of first use. */
  readonly #constants: ValidatorDeclaration[] = [];
  readonly #functions: ValidatorDeclaration[] = [];
  /** Printed one after the other instead of recursively, because chains of types may be longer than the call stack. */
  readonly #pending: { readonly name: string; readonly print: () => string[] }[] = [];
  readonly #nameByKey = new Map<string, string>();
  /** Includes `ownNames` and the names of functions for bodies. */
  readonly #taken: Set<string>;
  readonly #shared: FunctionRegistry | undefined;

  constructor(plan: Plan, side: Side, { shared, dialect = typescript }: RegistryOptions = {}) {
    this.dialect = dialect;
    this.#taken = shared === undefined ? new Set(ownNames) : shared.#taken;
    this.#shared = shared;
    this.types = plan.finder;
    this.side = side;
    this.forms = plan;
    this.depths = new DepthRules(plan.facts, side);
    const prefixes = ["read", "check", "write"];
    for (const { name } of plan.types) for (const prefix of prefixes) this.#taken.add(`${prefix}${name}`);
  }

  /** The check of a request or response. */
  body(typeName: string): FaultsCheck {
    return this.#struct({ type: { kind: "struct", name: typeName }, constraints: unconstrained }, typeName);
  }

  /** Adds a function that other files call by its name. */
  root(name: string, print: () => string[]): void {
    this.#functions.push({ name, lines: print() });
  }

  /** Prints everything that is used: constants first, then functions in the order of first use. */
  printAll(): readonly ValidatorDeclaration[] {
    // The list grows during the loop.
    for (const { name, print } of this.#pending) this.#functions.push({ name, lines: print() });
    this.#pending.length = 0;
    return [...this.#constants, ...this.#functions];
  }

  /** All names of the file, which local variables must avoid. */
  get names(): ReadonlySet<string> {
    return this.#taken;
  }

  claim(wanted: string): string {
    return claimName(wanted, this.#taken);
  }

  check(constrained: ConstrainedType, name = "item"): Check {
    const resolved = this.types.unaliased(constrained.type);
    switch (resolved.kind) {
      case "unknown":
        return { kind: "any" };
      case "struct":
        return this.#struct(constrained, resolved.name);
      case "map":
        return this.#call(constrained, resolved, (own) =>
          mapLines(resolved, constrained.constraints, own, this),
        );
      case "enum":
        return this.#enum(resolved.name, constrained.constraints);
      case "list":
        if (isBytes(resolved)) return this.#scalar(constrained, bytesScalar(constrained.constraints), name);
        return this.#call(constrained, resolved, (own) =>
          listLines(resolved, constrained.constraints, own, this),
        );
      case "core": {
        const scalar = coreScalar(resolved.name, constrained.constraints, this);
        return scalar === undefined ? { kind: "any" } : this.#scalar(constrained, scalar, name);
      }
    }
  }

  /** Prints a switch, because compilers fail on conditions with thousands of names. */
  enumTest(type: PlannedEnum): string {
    const key = `enum ${type.name}`;
    return (
      this.#sharedName(key) ??
      this.#function(key, `is${withoutEscape(type.name)}`, (own) => [
        this.dialect.function(own, oneValue, "boolean"),
        "  switch (value) {",
        ...type.values.map(({ wire }) => `    case ${literal(wire)}:`),
        // An enum without values accepts everything.
        ...(type.values.length === 0 ? [] : ["      return true;"]),
        "    default:",
        "      return false;",
        "  }",
        "}",
      ])
    );
  }

  fieldNames({ name, fields }: PlannedStruct): string {
    return this.#constant(
      `fields ${name}`,
      `${camelCase(name)}Fields`,
      "ReadonlySet<string>",
      `/* @__PURE__ */ new Set(${nameList(fields)})`,
    );
  }

  kindFields({ name }: PlannedStruct, { members }: KindUnion): string {
    const wanted = `${camelCase(name)}KindFields`;
    return this.#constant(`kind fields ${name}`, wanted, "readonly string[]", nameList(members));
  }

  #struct(constrained: ConstrainedType, name: string): FaultsCheck {
    return this.#call(constrained, { kind: "struct", name }, (own) =>
      structLines(this.types.struct(name), own, this),
    );
  }

  #call(
    constrained: ConstrainedType,
    resolved: ResolvedType,
    print: (name: string) => string[],
  ): FaultsCheck {
    const shape = resolved.kind === "struct" ? resolved : (this.#aliasType(constrained) ?? resolved);
    const wanted = `faultsIn${shapeName(shape)}`;
    const functionName = this.#function(constrainedTypeKey(constrained, this.types), wanted, print);
    const takesDepth = this.depths.takesDepth(resolved);
    return {
      kind: "faults",
      functionName,
      call: (value, depth) => `${functionName}(${value}${takesDepth ? `, ${depth}` : ""})`,
    };
  }

  #aliasType(constrained: ConstrainedType): ResolvedType | undefined {
    return aliasOf(constrained, this.types) === undefined ? undefined : constrained.type;
  }

  #scalar(constrained: ConstrainedType, scalar: Scalar, patternName: string): Check {
    const resolved = this.types.unaliased(constrained.type);
    const alias = aliasOf(constrained, this.types);
    const needsFunction = scalar.decoders.length > 0 || scalar.finish !== undefined;
    const rules = rulesCode({ ...scalar.rules, message: constrained.constraints.message });
    const fault = { expected: this.#expected(alias, scalar.expected), rules: this.#rules(alias, rules) };
    if (needsFunction) {
      const name = this.#function(
        constrainedTypeKey(constrained, this.types),
        `to${shapeName(constrained.type)}`,
        (own) => [
          this.dialect.function(own, oneValue, `${typeText(resolved, String, this.forms)} | undefined`),
          ...decoderLines(scalar, this.#pattern(constrained, patternName)),
          "}",
        ],
      );
      return { kind: "decode", functionName: name, fault };
    }
    if (alias === undefined) {
      const pattern = this.#pattern(constrained, patternName);
      return { kind: "test", test: (name) => scalar.test(name, pattern), fault };
    }
    const name = this.#function(
      constrainedTypeKey(constrained, this.types),
      `is${withoutEscape(alias)}`,
      (own) => [
        this.dialect.function(own, oneValue, "boolean"),
        `  return ${scalar.test("value", this.#pattern(constrained, patternName))};`,
        "}",
      ],
    );
    return { kind: "test", test: (value) => `${name}(${value})`, fault };
  }

  #enum(modelName: string, { message }: Constraints): Check {
    const type = this.types.enum(modelName);
    const hasNumbers = this.side === "request" && type.values.some(({ number }) => number !== undefined);
    const fault = {
      expected: this.#expected(type.name, expectedEnum(type)),
      rules: rulesCode({ text: "enum", find: hasNumbers ? "findInEnum" : undefined, message }),
    };
    if (!hasNumbers) {
      const name = this.enumTest(type);
      return { kind: "test", test: (value) => `${name}(${value})`, fault };
    }
    const name = this.#function(`numbered enum ${type.name}`, `to${withoutEscape(type.name)}`, (own) => [
      this.dialect.function(own, oneValue, "string | undefined"),
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
    return { kind: "decode", functionName: name, fault };
  }

  #function(key: string, wanted: string, print: (name: string) => string[]): string {
    return this.#named(key, wanted, (name) => this.#pending.push({ name, print: () => print(name) }));
  }

  /** Descriptions of named types are constants; others are printed where they are used. */
  #expected(name: string | undefined, description: string): string {
    if (name === undefined) return literal(description);
    return this.#constant(
      `expected ${name} ${description}`,
      `${camelCase(name)}Expected`,
      "string",
      literal(description),
    );
  }

  /** The same for rules. */
  #rules(name: string | undefined, rules: string | undefined): string | undefined {
    if (name === undefined || rules === undefined) return rules;
    return this.#constant(`rules ${name} ${rules}`, `${camelCase(name)}Rules`, "v.Rules", rules);
  }

  #pattern({ type, constraints: { pattern } }: ConstrainedType, patternName: string): string {
    if (pattern === undefined) return "";
    const wanted = `${camelCase(type.kind === "alias" ? type.name : patternName)}Pattern`;
    return this.#constant(`pattern ${pattern}`, wanted, "RegExp", regexLiteral(pattern));
  }

  #constant(
    key: string,
    wanted: string,
    type: "string" | "RegExp" | "ReadonlySet<string>" | "v.Rules" | "readonly string[]",
    text: string,
  ): string {
    return (
      this.#sharedName(key) ??
      this.#named(key, wanted, (name) =>
        this.#constants.push({
          name,
          lines: [`${this.dialect.constant(name, type)} = ${text};`],
        }),
      )
    );
  }

  /** The name of a declaration of the requests that is the same for responses. */
  #sharedName(key: string): string | undefined {
    return this.#shared === undefined ? undefined : this.#shared.#nameByKey.get(key);
  }

  #named(key: string, wanted: string, make: (name: string) => void): string {
    const known = this.#nameByKey.get(key);
    if (known !== undefined) return known;
    const name = this.claim(this.#shared === undefined ? wanted : `response${pascalCase(wanted)}`);
    this.#nameByKey.set(key, name);
    make(name);
    return name;
  }
}

/** Prints the body of a function that decodes other forms, tests the value, and converts it to its canonical form. */
function decoderLines({ decoders, test, finish = (own) => own }: Scalar, pattern: string): readonly string[] {
  if (decoders.length === 0) return [`  return ${test("value", pattern)} ? ${finish("value")} : undefined;`];
  return [
    `  const own = ${decoders.reduce((inner, decoder) => `v.${decoder}(${inner})`, "value")};`,
    `  return ${test("own", pattern)} ? ${finish("own")} : undefined;`,
  ];
}
