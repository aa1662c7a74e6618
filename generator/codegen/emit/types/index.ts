import type { Plan, PlannedDeclaration } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { lazyViews, type Overrides, template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import typesTemplate from "./types.hbs";
import versionTemplate from "./version.hbs";

interface TypesView {
  readonly header: string;
  /**
   * `UploadedFile`, or `UploadedFile as UploadedFile2` if the schema has a type of that name. Undefined if it is not
   * used.
   */
  readonly uploadImport: string | undefined;
  /** The runtime source that declares `UploadedFile`. */
  readonly uploadFile: string;
  readonly types: Iterable<TypeView>;
}

interface TypeView {
  readonly isInterface: boolean;
  readonly isEnum: boolean;
  readonly isAlias: boolean;
  readonly name: string;
  readonly docs: string;
  readonly typeText?: string;
  readonly base?: string | undefined;
  readonly fields?: readonly object[];
  readonly values?: readonly object[];
}

export interface TypesEmitOptions {
  /** Whether handlers receive files in memory, because no adapter has a disk. Default false. */
  readonly filesInMemory?: boolean;
  readonly overrides?: Overrides | undefined;
}

const print = template<TypesView>(typesTemplate);
const printVersion = template<object>(versionTemplate);

/**
 * Emits `types.ts` with an interface for each struct, a union with constants for each enum, and a type for each alias.
 * Also emits `version.ts`, the only file that every edit of the schema changes.
 */
export function emitTypes(
  plan: Plan,
  { filesInMemory = false, overrides }: TypesEmitOptions = {},
): readonly EmittedFile[] {
  const firstLine = header(plan.schemaFile);
  const types = {
    header: firstLine,
    uploadImport: uploadImport(plan),
    uploadFile: filesInMemory ? "uploaded-file-in-memory" : "uploaded-file",
    types: lazyViews(plan.declarations, view),
  };
  return [
    { path: "types.ts", text: print(types, overrides) },
    { path: "version.ts", text: printVersion(versionView(plan), overrides) },
  ];
}

function versionView({
  schemaFile,
  schemaVersion,
  schemaHash,
}: Pick<Plan, "schemaFile" | "schemaVersion" | "schemaHash">): object {
  return { header: header(schemaFile), version: literal(schemaVersion), hash: literal(schemaHash) };
}

function uploadImport({ declarations }: Plan): string | undefined {
  const name = declarations
    .map((type) => (type.kind === "interface" ? type.uploadType : undefined))
    .find((type) => type !== undefined);
  return name === undefined || name === "UploadedFile" ? name : `UploadedFile as ${name}`;
}

function view(type: PlannedDeclaration): TypeView {
  const { name } = type;
  const docs = docComment(type, "");
  switch (type.kind) {
    case "interface":
      return {
        isInterface: true,
        isEnum: false,
        isAlias: false,
        name,
        docs,
        base: type.base,
        fields: type.fields.map((field) => ({
          key: field.key,
          optional: field.optional,
          typeText: field.typeText,
          docs: docComment(field, "  "),
        })),
      };
    case "enum":
      return {
        isInterface: false,
        isEnum: true,
        isAlias: false,
        name,
        docs,
        values: type.values.map((value) => ({
          key: value.key,
          wire: literal(value.wire),
          docs: docComment(value, "  "),
        })),
      };
    case "alias":
      return { isInterface: false, isEnum: false, isAlias: true, name, docs, typeText: type.typeText };
  }
}
