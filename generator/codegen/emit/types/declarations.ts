/**
 * Declares the TypeScript types of a schema: each type, followed by the variants that differ from it (see `plan/variants.ts`).
 */
import { unconstrained } from "../../../language/model/meta/read.ts";
import { limitsSentences, withDeprecation, withSentence } from "../../plan/docs.ts";
import {
  type Documented,
  enumNames,
  type Plan,
  type PlannedAlias,
  type PlannedEnumValue,
  type PlannedField,
  type PlannedFile,
  type PlannedStruct,
  type PlannedType,
} from "../../plan/plan.ts";
import { innermost, reachable } from "../../plan/type-graph.ts";
import { circularTypeText, type NameOf, typeText } from "../../plan/type-text.ts";
import { fieldsOf, type Union, type UnionCase, unionsOf } from "../../plan/unions.ts";
import { typesWithFiles } from "../../plan/variants.ts";
import { literal } from "../text.ts";

/** An exported type of `types.ts`. */
export type TsDeclaration = DeclaredInterface | DeclaredEnum | DeclaredAlias;

export interface DeclaredInterface extends Documented {
  readonly kind: "interface";
  readonly name: string;
  /** The interface that this one extends. */
  readonly base?: string;
  readonly fields: readonly DeclaredField[];
  /** The fields of each case of each union. */
  readonly unions: readonly (readonly (readonly DeclaredField[])[])[];
}

export interface DeclaredField extends Documented {
  readonly key: string;
  readonly optional: boolean;
  readonly typeText: string;
}

interface DeclaredEnum extends Documented {
  readonly kind: "enum";
  readonly name: string;
  readonly values: readonly PlannedEnumValue[];
  readonly numbersName: string | undefined;
}

interface DeclaredAlias extends Documented {
  readonly kind: "alias";
  readonly name: string;
  readonly typeText: string;
  /** The function that makes plain values branded ones. */
  readonly brander?: { readonly name: string; readonly from: string };
}

/** Returns each type, followed by its other variants. */
export function declarationsOf(plan: Plan): readonly TsDeclaration[] {
  const printer = new DeclarationPrinter(plan);
  return plan.types.flatMap((type) => printer.of(type));
}

/** Who uses a type: the caller who sends a request, its handler, or both sides of a response. */
type Role = "caller" | "handler" | "response";

class DeclarationPrinter {
  readonly #plan: Plan;
  /** Names of enums and their aliases. */
  readonly #enums: ReadonlySet<string>;
  /** Names of the types with a file somewhere inside. */
  readonly #withFiles: ReadonlySet<string>;
  /** Names of the types with a nullable field somewhere inside, which requests may omit. */
  readonly #omittable: ReadonlySet<string>;

  constructor(plan: Plan) {
    const { types, facts } = plan;
    this.#plan = plan;
    this.#enums = enumNames(types);
    this.#withFiles = typesWithFiles(types, facts.holders);
    const nullable = types.filter(
      (type) => type.kind === "struct" && type.fields.some((one) => one.nullable),
    );
    this.#omittable = reachable(
      nullable.map(({ name }) => name),
      facts.holders,
    );
  }

  of(type: PlannedType): readonly TsDeclaration[] {
    if (type.kind === "enum") return [type];
    const own = ownRole(type);
    const declared = new Map<string, Role>();
    // The first role of a name declares it: callers and handlers may share a variant.
    for (const role of [own, ...roles]) {
      const name = role === own ? type.name : this.#nameOf(type.name, role);
      if (!declared.has(name)) declared.set(name, role);
    }
    return [...declared.values()].map((role) => this.#declare(type, role));
  }

  /** Returns the name of a type's variant: `Page` → `Page`, `PageInput` or `PageWithDefaults`. */
  #nameOf(typeName: string, role: Role): string {
    const { callerTypes, handlerTypes } = this.#plan;
    const names = { caller: callerTypes, handler: handlerTypes, response: undefined }[role];
    return names?.get(typeName) ?? typeName;
  }

  #declare(type: PlannedStruct | PlannedAlias, role: Role): DeclaredInterface | DeclaredAlias {
    const name = this.#nameOf(type.name, role);
    const own = type.kind === "alias" ? this.#withLimits(type) : type.docs;
    const docs =
      name === type.name ? own : [viewDocs[this.#withFiles.has(type.name) ? "received" : role](type.name)];
    const { deprecated } = type;
    if (type.kind === "alias") {
      const print = this.#isCircular(type) ? circularTypeText : typeText;
      const text = print(type.type, this.#references(type, role), this.#plan);
      const alias = { kind: "alias", name, docs } as const;
      if (type.brander === undefined) return withDeprecation({ ...alias, typeText: text }, deprecated);
      const branded = `${text} & ${this.#plan.brandType}<"${name}">`;
      const brander = { name: type.brander, from: text };
      return withDeprecation({ ...alias, typeText: branded, brander }, deprecated);
    }
    const isNarrowed = ownRole(type) === "caller" || !this.#omittable.has(type.name);
    const all = this.#fields(type, role);
    const found = unionsOf(type, this.#plan.finder);
    const declared = (field: PlannedField): DeclaredField => all[type.fields.indexOf(field)] as DeclaredField;
    const unions = found.map((union) => casesOf(union, declared));
    // An interface cannot extend a union.
    if (role === "handler" && isNarrowed && unions.length === 0 && !this.#withFiles.has(type.name)) {
      const fields = this.#narrowedFields(type);
      return withDeprecation({ kind: "interface", name, docs, base: type.name, fields, unions }, deprecated);
    }
    const inUnions = new Set(found.flatMap(fieldsOf).map(declared));
    const fields = all.filter((field) => !inUnions.has(field));
    return withDeprecation({ kind: "interface", name, docs, fields, unions }, deprecated);
  }

  /** Returns how a variant of a type refers to other types. */
  #references(type: PlannedStruct | PlannedAlias, role: Role): NameOf {
    if (!this.#isOpen(type, role)) return (part) => this.#nameOf(part, role);
    return (part) => (this.#enums.has(part) ? `${part} | (string & {})` : this.#nameOf(part, role));
  }

  /**
   * Whether a variant admits unknown enum values. Responses may contain them, and clients may send back what they received.
   * An enum and its aliases keep the closed type, for code that handles every value.
   */
  #isOpen(type: PlannedStruct | PlannedAlias, role: Role): boolean {
    const { enums } = this.#plan;
    return (
      enums === "open" && role !== "handler" && ownRole(type) === "response" && !this.#enums.has(type.name)
    );
  }

  #fields(type: PlannedStruct, role: Role): readonly DeclaredField[] {
    const { fields, files = [] } = type;
    const { fileTypes } = this.#plan;
    const nameOf = this.#references(type, role);
    const declared = fields.map((field) =>
      declareField(field, this.#withLimits(field), role, typeText(field.type, nameOf, this.#plan)),
    );
    for (const file of files)
      declared.push(declareFile(file, role, role === "handler" ? fileTypes.received : fileTypes.sent));
    return declared;
  }

  /**
   * Adds the limits of a field to its doc comment, such as `At most 40 characters.` Those of an alias are in the comment of the alias.
   */
  #withLimits({ docs, constraints, type }: PlannedField | PlannedAlias): readonly string[] {
    if (constraints === unconstrained) return docs;
    const inherited = type.kind === "alias" ? this.#plan.finder.alias(type.name).constraints : unconstrained;
    const limits = limitsSentences(constraints, this.#plan.finder.unaliased(type), inherited);
    return limits === undefined ? docs : withSentence(docs, limits);
  }

  /**
   * Returns the fields whose type is narrower for handlers, because a default is filled in. Their docs are inherited.
   */
  #narrowedFields(type: PlannedStruct): readonly DeclaredField[] {
    const own = this.#fields(type, ownRole(type));
    const nameOf = this.#references(type, "handler");
    return type.fields
      .map((field) => {
        const text = typeText(field.type, nameOf, this.#plan);
        return { key: field.key, ...presence(field, "handler", text), docs: [] };
      })
      .filter((narrowed, index) => {
        const { optional, typeText: text } = own[index] as DeclaredField;
        return narrowed.optional !== optional || narrowed.typeText !== text;
      });
  }

  /**
   * Whether an alias leads back to itself through lists, maps and other aliases. Structs end the search: TypeScript
   * allows recursion through an interface.
   */
  #isCircular(alias: PlannedAlias): boolean {
    const seen = new Set<string>();
    for (let at: PlannedType | undefined = alias; at?.kind === "alias"; ) {
      if (seen.has(at.name)) return true;
      seen.add(at.name);
      const inside = innermost(at.type);
      at = inside.kind === "alias" ? this.#plan.finder.alias(inside.name) : undefined;
    }
    return false;
  }
}

/** Returns the fields of each case. Kinds with the same fields share one. */
function casesOf(
  union: Union,
  declared: (field: PlannedField) => DeclaredField,
): readonly (readonly DeclaredField[])[] {
  const fieldsOf = ({ required, optional }: UnionCase): readonly DeclaredField[] =>
    union.members.map((member) => {
      const field = declared(member);
      if (required.includes(member)) return { ...field, optional: false };
      if (optional.includes(member)) return field;
      return { key: field.key, optional: true, typeText: "undefined", docs: [] };
    });
  if (union.kind === undefined) return union.cases.map(fieldsOf);
  const kind = declared(union.kind);
  const valuesByFields = new Map<string, PlannedEnumValue[]>();
  for (const one of union.cases) {
    const key = JSON.stringify(fieldsOf(one));
    valuesByFields.set(key, [...(valuesByFields.get(key) ?? []), one.kind]);
  }
  return [...valuesByFields].map(([key, values]) => {
    const docs = values.length === 1 ? values.flatMap((value) => value.docs) : [];
    const field = { ...kind, typeText: values.map(({ wire }) => literal(wire)).join(" | ") };
    return [docs.length === 0 ? field : { ...field, docs }, ...(JSON.parse(key) as DeclaredField[])];
  });
}

/** Returns the role for which a type keeps its own name. */
function ownRole({ inRequests, inResponses }: PlannedType): Role {
  return inResponses || !inRequests ? "response" : "caller";
}

const roles: readonly Role[] = ["caller", "handler", "response"];

const viewDocs: Readonly<Record<Role | "received", (name: string) => string>> = {
  received: (name) => `\`${name}\` as handlers receive it, with its uploaded files.`,
  caller: (name) => `\`${name}\` in a request. Fields with a default, or that may be null, are optional.`,
  handler: (name) => `\`${name}\` as handlers receive it, with defaults filled in.`,
  response: (name) => `\`${name}\` in a response.`,
};

function declareField(field: PlannedField, docs: readonly string[], role: Role, text: string): DeclaredField {
  const { key, deprecated } = field;
  const { optional, typeText: own } = presence(field, role, text);
  const all = role === "caller" && field.default !== undefined ? [...docs, defaultTag(field)] : docs;
  return withDeprecation({ key, optional, typeText: own, docs: all }, deprecated);
}

/** A list of files may be empty, but handlers always receive it. */
function declareFile(
  { key, optional, isList, docs, deprecated }: PlannedFile,
  role: Role,
  text: string,
): DeclaredField {
  const isOptional = optional && !(isList && role === "handler");
  const declared = { key, docs, optional: isOptional, typeText: isList ? `readonly ${text}[]` : text };
  return withDeprecation(declared, deprecated);
}

function presence(
  field: PlannedField,
  role: Role,
  text: string,
): Pick<DeclaredField, "optional" | "typeText"> {
  const hasDefault = field.default !== undefined;
  if (hasDefault && role === "handler") return { optional: false, typeText: text };
  return {
    optional: field.optional || (role === "caller" && hasDefault) || (role !== "response" && field.nullable),
    typeText: field.nullable ? `${text} | null` : text,
  };
}

function defaultTag({ default: value }: PlannedField): string {
  return `@defaultValue ${typeof value === "bigint" ? `${value}n` : JSON.stringify(value)}`;
}
