import type { Plan, PlannedType } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import specification from "./types.hbs";
import versionSpecification from "./version.hbs";

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
const printVersion = template<object>(versionSpecification);

/**
 * `types.ts`: an interface a struct, a union with its constants an enum, a type an alias; and `version.ts`, the one file that every
 * edit of the schema changes.
 */
export function emitTypes({ schemaFile, schemaVersion, schemaHash, types }: Plan): readonly EmittedFile[] {
  const firstLine = header(schemaFile);
  const version = { header: firstLine, version: literal(schemaVersion), hash: literal(schemaHash) };
  return [
    { path: "types.ts", text: print({ header: firstLine, types: types.map(view) }) },
    { path: "version.ts", text: printVersion(version) },
  ];
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
