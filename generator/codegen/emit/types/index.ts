import { type EmittedFile, type Options, uploadReceiver } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { hasFiles } from "../../plan/views.ts";
import { template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import {
  type Declaration,
  type DeclaredField,
  type DeclaredInterface,
  declarationsOf,
} from "./declarations.ts";
import typesTemplate from "./types.hbs";

interface TypesView {
  readonly header: string;
  /** Types of the runtime, such as `UploadedFile as UploadedFile2` if the schema has a type of that name. */
  readonly imports: readonly { readonly names: string; readonly module: string }[];
  readonly types: Iterable<TypeView>;
  /** Of the schema. Undefined for an earlier version. */
  readonly version: string | undefined;
  readonly hash: string;
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
  readonly numbersName?: string | undefined;
  readonly brander?: { readonly name: string; readonly from: string } | undefined;
}

/** Longest object type on one line. */
const lineWidth = 100;

const print = template<TypesView>(typesTemplate);

/**
 * Emits `types.ts` with an interface for each struct, a union with constants for each enum, a type for each alias, and
 * the versions and the hash of the schema.
 */
export function emitTypes(plan: Plan, options: Options): readonly EmittedFile[] {
  return [typesFile(plan, options, true)];
}

/** `isCurrent`: whether the file declares the versions and the hash of the schema, and custom templates apply. */
export function typesFile(plan: Plan, options: Options, isCurrent: boolean): EmittedFile {
  const view = {
    header: header(plan.schemaFile),
    imports: importsOf(plan, uploadReceiver(options).typeModule),
    types: declarationsOf(plan).map(viewType),
    version: isCurrent ? literal(plan.schemaVersion) : undefined,
    hash: literal(plan.schemaHash),
  };
  return { path: "types.ts", text: print(view, isCurrent ? options.templates.overrides : undefined) };
}

function importsOf({ types, fileTypes, brandType }: Plan, uploadModule: string): TypesView["imports"] {
  const isBranded = types.some((type) => type.kind === "alias" && type.brander !== undefined);
  return [
    ...(isBranded ? [{ names: renamed("Brand", brandType), module: "brand" }] : []),
    ...(types.some(hasFiles)
      ? [{ names: renamed("UploadedFile", fileTypes.received), module: uploadModule }]
      : []),
  ];
}

function renamed(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}

function viewType(type: Declaration): TypeView {
  const { name } = type;
  const docs = docComment(type, "");
  switch (type.kind) {
    case "interface":
      if (type.groups.length > 0) return aliasView(name, docs, groupedText(type));
      // Linters reject empty interfaces.
      if (type.fields.length === 0) return aliasView(name, docs, type.base ?? "object");
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
          number: Number(value.number),
          docs: docComment(value, "  "),
        })),
        numbersName: type.numbersName,
      };
    case "alias":
      return aliasView(name, docs, type.typeText, type.brander);
  }
}

function aliasView(name: string, docs: string, typeText: string, brander?: TypeView["brander"]): TypeView {
  return { isInterface: false, isEnum: false, isAlias: true, name, docs, typeText, brander };
}

/** Prints `{ note?: string } & (| { card: Card; iban?: undefined } | { card?: undefined; iban: string })`. */
function groupedText({ fields, groups }: DeclaredInterface): string {
  const unions = groups.map((members) => {
    const variants = members.map((set) =>
      objectText(
        members.map((member) =>
          member === set
            ? { ...member, optional: false }
            : { key: member.key, optional: true, typeText: "undefined", docs: [] },
        ),
        "    ",
      ),
    );
    return `(\n${variants.map((variant) => `  | ${variant}\n`).join("")})`;
  });
  return [...(fields.length === 0 ? [] : [objectText(fields, "")]), ...unions].join(" & ");
}

function objectText(fields: readonly DeclaredField[], indent: string): string {
  const printed = fields.map((field) => ({
    docs: docComment(field, `${indent}  `),
    text: `${field.key}${field.optional ? "?" : ""}: ${field.typeText};`,
  }));
  const line = `{ ${printed.map(({ text }) => text).join(" ")} }`.replace("; }", " }");
  if (line.length < lineWidth && printed.every(({ docs }) => docs === "")) return line;
  return `{\n${printed.map(({ docs, text }) => `${docs}${indent}  ${text}\n`).join("")}${indent}}`;
}
