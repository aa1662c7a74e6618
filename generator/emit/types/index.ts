import type { Plan, PlannedType } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import specification from "./types.hbs";

interface TypesView {
  readonly header: string;
  readonly types: readonly TypeView[];
}

interface TypeView {
  readonly isStruct: boolean;
  readonly isEnum: boolean;
  readonly isAlias: boolean;
  readonly name: string;
  readonly docs: string;
  readonly typeText?: string;
  readonly fields?: readonly object[];
  readonly values?: readonly object[];
}

const print = template<TypesView>(specification);

/** `types.ts`: an interface a struct, a union with its constants an enum, a type an alias. Nothing that runs but the constants. */
export function emitTypes({ schemaFile, types }: Plan): readonly EmittedFile[] {
  return [{ path: "types.ts", text: print({ header: header(schemaFile), types: types.map(view) }) }];
}

function view(type: PlannedType): TypeView {
  const { kind, name } = type;
  const kinds = { isStruct: kind === "struct", isEnum: kind === "enum", isAlias: kind === "alias" };
  const base = { ...kinds, name, docs: docComment(type.docs, "", type.deprecated) };
  switch (type.kind) {
    case "struct":
      return {
        ...base,
        fields: type.fields.map(({ key, optional, nullable, typeText, docs, deprecated }) => {
          return { key, optional, nullable, typeText, docs: docComment(docs, "  ", deprecated) };
        }),
      };
    case "enum":
      return {
        ...base,
        values: type.values.map(({ key, wire, docs }) => ({
          key,
          wire: literal(wire),
          docs: docComment(docs, "  "),
        })),
      };
    case "alias":
      return { ...base, typeText: type.typeText };
  }
}
