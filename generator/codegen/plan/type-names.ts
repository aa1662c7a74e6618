import type { Model } from "../../language/model/model.ts";
import type { MapKeyType, ResolvedType, TypeReference } from "../../language/model/types.ts";
import { claimName, typeIdentifier } from "./names.ts";
import type { TimestampForm } from "./value-forms.ts";

/**
 * What the types of a schema are called in TypeScript. In the plan a reference to a type has that name and no longer the schema's,
 * so that nobody works it out a second time.
 */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #byName: ReadonlyMap<string, string>;

  /** Where timestamps are a Date, no type of the schema is called so. */
  constructor({ types }: Model, timestamps: TimestampForm) {
    if (timestamps === "Date") this.#taken.add("Date");
    const names = types.map(({ name }) => name);
    // A name that needs no change keeps it, whatever stands before it in the schema.
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

  /** A name for what is no type of the schema. */
  claim(wanted: string): string {
    return claimName(wanted, this.#taken);
  }

  /** The same type, its references by identifier. */
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
