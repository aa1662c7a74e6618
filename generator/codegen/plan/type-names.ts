import type { Model } from "../../language/model/model.ts";
import type { MapKeyType, ResolvedType, TypeReference } from "../../language/model/types.ts";
import { claimName, typeIdentifier } from "./names.ts";
import type { TimestampForm } from "./value-forms.ts";

/** Assigns TypeScript names to the types of a schema. All references in the plan use these names. */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #byName: ReadonlyMap<string, string>;

  /** With Date timestamps, no type of the schema can be named `Date`. */
  constructor({ types }: Model, timestamps: TimestampForm) {
    if (timestamps === "Date") this.#taken.add("Date");
    const names = types.map(({ name }) => name);
    // Names that are valid identifiers are claimed first, regardless of their order in the schema.
    const plain = names.filter((name) => typeIdentifier(name) === name);
    const others = names.filter((name) => typeIdentifier(name) !== name);
    this.#byName = new Map(
      [...plain, ...others].map((name) => [name, claimName(typeIdentifier(name), this.#taken)]),
    );
  }

  of(name: string): string {
    const identifier = this.#byName.get(name);
    if (identifier === undefined) throw new Error(`no type "${name}" in the model`);
    return identifier;
  }

  /** Claims a name for a type that is not in the schema. */
  claim(wanted: string): string {
    return claimName(wanted, this.#taken);
  }

  /** Replaces the type names of all references. */
  resolve(type: ResolvedType): ResolvedType {
    switch (type.kind) {
      case "list":
        return { kind: "list", element: this.resolve(type.element) };
      case "map":
        return { kind: "map", key: this.#key(type.key), value: this.resolve(type.value) };
      case "struct":
      case "enum":
      case "alias":
        return this.#reference(type);
      default:
        return type;
    }
  }

  #key(key: MapKeyType): MapKeyType {
    return key.kind === "core" ? key : { kind: key.kind, name: this.of(key.name) };
  }

  #reference(type: TypeReference): TypeReference {
    const name = this.of(type.name);
    return name === type.name ? type : { kind: type.kind, name };
  }
}
