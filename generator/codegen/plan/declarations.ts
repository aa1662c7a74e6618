/**
 * Declares the TypeScript types of a schema. A type with defaults can have several views: callers may omit fields with
 * a default, handlers always receive them, and in responses defaults have no effect. Fields with `nullable = always` are
 * always present in responses, but may be absent in requests.
 */
import { unconstrained } from "../../language/model/meta/read.ts";
import { withDeprecation } from "./deprecations.ts";
import { withSentence } from "./docs-sentence.ts";
import { enumNames } from "./enum-names.ts";
import { type Holders, innermost, withHolders } from "./holders.ts";
import { limitsSentences } from "./limits-sentences.ts";
import type {
  DeclaredAlias,
  DeclaredField,
  DeclaredInterface,
  PlannedAlias,
  PlannedDeclaration,
  PlannedField,
  PlannedFile,
  PlannedStruct,
  PlannedType,
} from "./plan.ts";
import { TypeFinder } from "./type-finder.ts";
import { circularTypeText, type NameOf, typeText } from "./type-text.ts";
import type { ValueForms } from "./value-forms.ts";

/** Who uses a type: the caller who sends a request, its handler, or both sides of a response. */
export type Role = "caller" | "handler" | "response";

/** Names of the views that differ from the type itself, by type name. */
export interface ViewNames {
  readonly caller: ReadonlyMap<string, string>;
  readonly handler: ReadonlyMap<string, string>;
}

export class Declarations {
  readonly #types: readonly PlannedType[];
  readonly #forms: ValueForms;
  readonly #byName: ReadonlyMap<string, PlannedType>;
  readonly #finder: TypeFinder;
  readonly viewNames: ViewNames;
  readonly #fileTexts: Readonly<Record<Role, string>>;
  /** Names of enums and their aliases. */
  readonly #enums: ReadonlySet<string>;
  /** Names of the types with a file somewhere inside. */
  readonly #withFiles: ReadonlySet<string>;
  /** Names of the types with a nullable field somewhere inside, which requests may omit. */
  readonly #omittable: ReadonlySet<string>;

  /** `claim` returns a unique name for an additional view. */
  constructor(
    types: readonly PlannedType[],
    holders: Holders,
    forms: ValueForms,
    claim: (wanted: string) => string,
  ) {
    this.#types = types;
    this.#forms = forms;
    this.#byName = new Map(types.map((type) => [type.name, type]));
    this.#finder = new TypeFinder({ types });
    this.#enums = enumNames(types);
    this.#withFiles = withHolders(
      types.filter(hasFiles).map(({ name }) => name),
      holders,
    );
    const differing = differences(types, holders);
    this.#omittable = differing.omittable;
    this.viewNames = viewNames(types, differing, this.#withFiles, claim);
    this.#fileTexts = fileTexts(types, claim);
  }

  /** Returns the name of a type's view: `Page` → `Page`, `PageInput` or `PageWithDefaults`. */
  nameOf(typeName: string, role: Role): string {
    return (role === "response" ? undefined : this.viewNames[role].get(typeName)) ?? typeName;
  }

  /** Returns each type, followed by its other views. */
  all(): readonly PlannedDeclaration[] {
    return this.#types.flatMap((type) => this.of(type));
  }

  of(type: PlannedType): readonly PlannedDeclaration[] {
    if (type.kind === "enum") return [type];
    const own = ownRole(type);
    const declared = new Map<string, Role>();
    // The first role of a name declares it: callers and handlers may share a view.
    for (const role of [own, ...roles]) {
      const name = role === own ? type.name : this.nameOf(type.name, role);
      if (!declared.has(name)) declared.set(name, role);
    }
    return [...declared.values()].map((role) => this.#declare(type, role));
  }

  #declare(type: PlannedStruct | PlannedAlias, role: Role): DeclaredInterface | DeclaredAlias {
    const name = this.nameOf(type.name, role);
    const own = type.kind === "alias" ? this.#withLimits(type) : type.docs;
    const docs =
      name === type.name ? own : [viewDocs[this.#withFiles.has(type.name) ? "received" : role](type.name)];
    const { deprecated } = type;
    if (type.kind === "alias") {
      const print = this.#isCircular(type) ? circularTypeText : typeText;
      const text = print(type.type, this.#references(type, role), this.#forms);
      return withDeprecation({ kind: "alias", name, docs, typeText: text }, deprecated);
    }
    if (role === "handler" && hasFiles(type)) {
      const uploadType = this.#fileTexts.handler;
      const fields = this.#fields(type, role);
      return withDeprecation({ kind: "interface", name, docs, uploadType, fields }, deprecated);
    }
    const isNarrowed = ownRole(type) === "caller" || !this.#omittable.has(type.name);
    if (role === "handler" && isNarrowed && !this.#withFiles.has(type.name)) {
      const fields = this.#narrowedFields(type);
      return withDeprecation({ kind: "interface", name, docs, base: type.name, fields }, deprecated);
    }
    return withDeprecation({ kind: "interface", name, docs, fields: this.#fields(type, role) }, deprecated);
  }

  /** Returns how a view of a type refers to other types. */
  #references(type: PlannedStruct | PlannedAlias, role: Role): NameOf {
    if (!this.#isOpen(type, role)) return (part) => this.nameOf(part, role);
    return (part) => (this.#enums.has(part) ? `${part} | (string & {})` : this.nameOf(part, role));
  }

  /**
   * Whether a view admits unknown enum values. Responses may contain them, and clients may send back what they received.
   * An enum and its aliases keep the closed type, for code that handles every value.
   */
  #isOpen(type: PlannedStruct | PlannedAlias, role: Role): boolean {
    const { enums } = this.#forms;
    return (
      enums === "open" && role !== "handler" && ownRole(type) === "response" && !this.#enums.has(type.name)
    );
  }

  #fields(type: PlannedStruct, role: Role): readonly DeclaredField[] {
    const { fields, files = [] } = type;
    const nameOf = this.#references(type, role);
    const declared = fields.map((field) =>
      declareField(field, this.#withLimits(field), role, typeText(field.type, nameOf, this.#forms)),
    );
    for (const file of files) declared.push(declareFile(file, role, this.#fileTexts[role]));
    return declared;
  }

  /**
   * Adds the limits of a field to its doc comment, such as `At most 40 characters.` Those of an alias are in the comment of the alias.
   */
  #withLimits({ docs, constraints, type }: PlannedField | PlannedAlias): readonly string[] {
    if (constraints === unconstrained) return docs;
    const inherited = type.kind === "alias" ? this.#finder.alias(type.name).constraints : unconstrained;
    const limits = limitsSentences(constraints, this.#finder.unaliased(type), inherited);
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
        const text = typeText(field.type, nameOf, this.#forms);
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
      at = inside.kind === "alias" ? this.#byName.get(inside.name) : undefined;
    }
    return false;
  }
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

function hasFiles(type: PlannedType): boolean {
  return type.kind === "struct" && type.files !== undefined;
}

/** Returns the TypeScript types of files, with names that no type of the schema uses. */
function fileTexts(types: readonly PlannedType[], claim: (wanted: string) => string): Record<Role, string> {
  if (!types.some(hasFiles)) return { caller: "Blob", handler: "UploadedFile", response: "Blob" };
  const blob = claim("Blob") === "Blob" ? "Blob" : "globalThis.Blob";
  return { caller: blob, handler: claim("UploadedFile"), response: blob };
}

/** Assigns names to the views that differ from the type itself. */
function viewNames(
  types: readonly PlannedType[],
  differing: Differences,
  withFiles: ReadonlySet<string>,
  claim: (wanted: string) => string,
): ViewNames {
  const caller = new Map<string, string>();
  const handler = new Map<string, string>();
  for (const type of types) {
    const { name, inRequests, inResponses } = type;
    if (withFiles.has(name)) {
      handler.set(name, claim(`${name}Received`));
      continue;
    }
    if (!inRequests) continue;
    if (inResponses && differing.callerDiffers.has(name)) caller.set(name, claim(`${name}Input`));
    const received = caller.get(name);
    if (!differing.withDefaults.has(name)) {
      if (received !== undefined) handler.set(name, received);
    } else if (!inResponses || differing.handlerDiffers.has(name))
      handler.set(name, claim(`${name}WithDefaults`));
  }
  return { caller, handler };
}

interface Differences {
  /** Types with a default somewhere inside. */
  readonly withDefaults: ReadonlySet<string>;
  /** Types with a nullable field somewhere inside, which requests may omit. */
  readonly omittable: ReadonlySet<string>;
  /** Types with a field that is always present in responses, and may be absent in requests. */
  readonly callerDiffers: ReadonlySet<string>;
  /** Types with a default on a field that may be absent or null in responses. */
  readonly handlerDiffers: ReadonlySet<string>;
}

function hasDefault(field: PlannedField): boolean {
  return field.default !== undefined;
}

function differences(types: readonly PlannedType[], holders: Holders): Differences {
  const typesWith = (isIncluded: (field: PlannedField) => boolean): ReadonlySet<string> => {
    const start = types.filter((type) => type.kind === "struct" && type.fields.some(isIncluded));
    return withHolders(
      start.map(({ name }) => name),
      holders,
    );
  };
  return {
    withDefaults: typesWith(hasDefault),
    omittable: typesWith(({ nullable }) => nullable),
    callerDiffers: typesWith((field) => field.nullable || (hasDefault(field) && !field.optional)),
    handlerDiffers: typesWith((field) => field.nullable || (hasDefault(field) && field.optional)),
  };
}
