import { type EmittedFile, type Options, uploadModules } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { reachable, sharedNames } from "../../plan/type-graph.ts";
import { hasFiles } from "../../plan/variants.ts";
import { template } from "../render.ts";
import { docComment, header, literal, literalKey, withoutTexts } from "../text.ts";
import {
  type DeclaredField,
  type DeclaredInterface,
  declarationsOf,
  type TsDeclaration,
} from "./declarations.ts";
import typesTemplate from "./types.hbs";

interface TypesView {
  readonly header: string;
  /** Types of the runtime, such as `UploadedFile as UploadedFile2` if the schema has a type of that name. */
  readonly imports: readonly { readonly names: string; readonly module: string }[];
  /** The file whose types a kept version exports, too. */
  readonly exports: string;
  readonly types: Iterable<TypeView>;
  /** Of the schema. Undefined for a kept version. */
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
  const view = {
    header: header(plan.schemaFile),
    imports: importsOf(plan, options),
    exports: "",
    types: declarationsOf(plan).map(viewType),
    version: literal(plan.schemaVersion),
    hash: literal(plan.schemaHash),
  };
  return [{ path: "types.ts", text: print(view, options.templates.overrides) }];
}

interface KeptTypes {
  readonly next: Plan;
  /** The file with the types of the next version. */
  readonly from: string;
  readonly wanted: readonly string[];
}

/** Prints the wanted types of a kept version that differ from the next version. `shared`: names of those that do not. */
export function keptTypesFile(
  plan: Plan,
  { next, from, wanted }: KeptTypes,
  options: Options,
): { readonly file: EmittedFile; readonly shared: readonly string[] } {
  const declared = declarationsOf(plan);
  const known = sharedNames(declared.map(withoutDocs), declarationsOf(next).map(withoutDocs), namesIn);
  const changed = declared.filter(({ name }) => !known.has(name));
  const parts = new Map(changed.map((one) => [one.name, namesIn(one)]));
  const used = reachable(wanted, parts);
  const types = changed.filter(({ name }) => used.has(name));
  const named = new Set(types.flatMap((one) => parts.get(one.name) ?? []));
  const shared = [...used].filter((name) => known.has(name));
  const imported = shared.filter((name) => named.has(name)).sort();
  const view = {
    header: header(plan.schemaFile),
    imports: [
      ...(imported.length === 0 ? [] : [{ names: imported.join(", "), module: from }]),
      ...importsOf(plan, options).filter(({ local }) => named.has(local)),
    ],
    // The next version has the file only for types that this one exports.
    exports: shared.length === 0 ? "" : from,
    types: types.map(viewType),
    version: undefined,
    hash: "",
  };
  return { file: { path: "types.ts", text: print(view) }, shared };
}

function withoutDocs(type: TsDeclaration): TsDeclaration {
  const text = JSON.stringify(type, (key, value: unknown) =>
    key === "docs" || key === "deprecated" ? undefined : value,
  );
  return JSON.parse(text) as TsDeclaration;
}

/** The names that the text of a type contains. */
function namesIn(type: TsDeclaration): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(type, (key, value: unknown) => {
    if (typeof value === "string" && (key === "typeText" || key === "base" || key === "from"))
      texts.push(value);
    return value;
  });
  return withoutTexts(texts.join(" ")).match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function importsOf(
  { types, fileTypes, brandType }: Plan,
  options: Options,
): readonly (TypesView["imports"][number] & { readonly local: string })[] {
  const isBranded = types.some((type) => type.kind === "alias" && type.brander !== undefined);
  const uploads = `ridlkit-runtime/${uploadModules(options).typeModule}`;
  return [
    ...(isBranded
      ? [{ names: renamed("Brand", brandType), module: "ridlkit-runtime/brand", local: brandType }]
      : []),
    ...(types.some(hasFiles)
      ? [{ names: renamed("UploadedFile", fileTypes.received), module: uploads, local: fileTypes.received }]
      : []),
  ];
}

function renamed(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}

function viewType(type: TsDeclaration): TypeView {
  const { name } = type;
  const docs = docComment(type, "");
  switch (type.kind) {
    case "interface":
      if (type.unions.length > 0) return aliasView(name, docs, unionText(type));
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
          wireKey: literalKey(value.wire),
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
function unionText({ fields, unions }: DeclaredInterface): string {
  const printed = unions.map(
    (cases) => `(\n${cases.map((one) => `  | ${objectText(one, "    ")}\n`).join("")})`,
  );
  return [...(fields.length === 0 ? [] : [objectText(fields, "")]), ...printed].join(" & ");
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
