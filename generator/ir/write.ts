import { createHash } from "node:crypto";
import type {
  IrAnnotation,
  IrArgument,
  IrError,
  IrField,
  IrMeta,
  IrMethod,
  IrSchema,
  IrService,
  IrType,
  IrValue,
} from "./schema.ts";

/**
 * The IR as text, byte for byte as the reference tool writes it: keys in its order, indented by one blank, a line break at the
 * end. Written by hand, since neither key order nor escapes are JSON.stringify's.
 */
export function writeIr(ir: IrSchema): string {
  return `${block(
    "{",
    [
      member("webrpc", text(ir.webrpc)),
      member("name", text(ir.name)),
      member("version", text(ir.version)),
      member("basepath", text(ir.basepath)),
      member("types", list(ir.types, 1, rememberedType)),
      member("errors", list(ir.errors, 1, writeError)),
      member("services", list(ir.services, 1, writeService)),
    ],
    0,
  )}\n`;
}

/** A type as it stands in the text of the IR, from its first bracket to its last. */
export function writeIrType(type: IrType): string {
  return rememberedType(type, typeDepth);
}

/** In the list that is a member of the whole. */
const typeDepth = 2;

/** SHA-1 of the IR's text in lower case hex, 40 characters: the schema hash of webrpc. */
export function hashIr(irText: string | Uint8Array): string {
  return createHash("sha1").update(irText).digest("hex");
}

const rememberedType = remembering(writeType);
const rememberedMethod = remembering(writeMethod);

/** The text of each item, written once: none is ever changed, and each kind stands at one depth. */
function remembering<Item extends object>(
  write: (item: Item, depth: number) => string,
): (item: Item, depth: number) => string {
  const texts = new WeakMap<Item, string>();
  return (item, depth) => {
    const text = texts.get(item) ?? write(item, depth);
    texts.set(item, text);
    return text;
  };
}

function writeType(type: IrType, depth: number): string {
  const { fields, comments } = type;
  const members = [member("kind", text(type.kind)), member("name", text(type.name))];
  if (type.type !== undefined) members.push(member("type", typeText(type.type)));
  if (hasItems(fields)) members.push(member("fields", list(fields, depth + 1, writeField)));
  addExtra(members, type, depth);
  if (hasItems(comments)) members.push(member("comments", texts(comments, depth + 1)));
  return object(depth, members);
}

function writeField(field: IrField | null, depth: number): string {
  if (field === null) return "null";
  const members: string[] = [];
  if (hasItems(field.comments)) members.push(member("comments", texts(field.comments, depth + 1)));
  members.push(member("name", text(field.name)));
  if (field.type !== undefined) members.push(member("type", typeText(field.type)));
  addExtra(members, field, depth);
  return object(depth, members);
}

function addExtra(members: string[], of: Pick<IrField, "optional" | "value" | "meta">, depth: number): void {
  if (of.optional === true) members.push(member("optional", "true"));
  addValues(members, of, depth);
}

function addValues(members: string[], of: Pick<IrField, "value" | "meta">, depth: number): void {
  if (of.value !== undefined && of.value !== "") members.push(member("value", text(of.value)));
  if (hasItems(of.meta)) members.push(member("meta", list(of.meta, depth + 1, writeMeta)));
}

function writeMeta(meta: IrMeta, depth: number): string {
  return writeValue(meta, depth);
}

function writeError(error: IrError, depth: number): string {
  return object(depth, [
    member("code", String(error.code)),
    member("name", text(error.name)),
    member("message", text(error.message)),
    member("httpStatus", String(error.httpStatus)),
  ]);
}

function writeService(service: IrService, depth: number): string {
  return object(depth, [
    member("name", text(service.name)),
    member("methods", list(service.methods, depth + 1, rememberedMethod)),
    member("comments", texts(service.comments, depth + 1)),
  ]);
}

function writeMethod(method: IrMethod, depth: number): string {
  const members = [
    member("name", text(method.name)),
    member("annotations", writeAnnotations(method.annotations, depth + 1)),
    member("comments", texts(method.comments, depth + 1)),
  ];
  if (method.succinct === true) members.push(member("succinct", "true"));
  if (method.streamInput === true) members.push(member("streamInput", "true"));
  if (method.streamOutput === true) members.push(member("streamOutput", "true"));
  members.push(member("inputs", list(method.inputs, depth + 1, writeArgument)));
  members.push(member("outputs", list(method.outputs, depth + 1, writeArgument)));
  if (hasItems(method.errors)) members.push(member("errors", texts(method.errors, depth + 1)));
  return object(depth, members);
}

function writeAnnotations(annotations: IrMethod["annotations"], depth: number): string {
  if (annotations === null) return "null";
  return object(
    depth,
    sorted(annotations).map(([name, annotation]) =>
      namedMember(name, writeAnnotation(annotation, depth + 1)),
    ),
  );
}

function writeAnnotation(annotation: IrAnnotation | null, depth: number): string {
  if (annotation === null) return "null";
  return object(depth, [
    member("annotationType", text(annotation.annotationType)),
    member("value", text(annotation.value)),
  ]);
}

function writeArgument(argument: IrArgument, depth: number): string {
  const members = [
    member("name", text(argument.name)),
    member("type", typeText(argument.type)),
    member("optional", String(argument.optional)),
  ];
  addValues(members, argument, depth);
  return object(depth, members);
}

function writeValue(value: IrValue, depth: number): string {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return list(value as readonly IrValue[], depth, writeValue);
  const entries = sorted(value as ReadonlyMap<string, IrValue>);
  return object(
    depth,
    entries.map(([key, item]) => namedMember(key, writeValue(item, depth + 1))),
  );
}

/** Go sorts keys by their bytes, which is the order of code points. */
function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return map.size < 2
    ? [...map]
    : [...map].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** A key of ours, which needs no escape. */
function member(key: string, value: string): string {
  return `"${key}": ${value}`;
}

function namedMember(key: string, value: string): string {
  return `${text(key)}: ${value}`;
}

function object(depth: number, members: readonly string[]): string {
  return block("{", members, depth);
}

function list<Item>(
  items: readonly Item[] | null,
  depth: number,
  write: (item: Item, depth: number) => string,
): string {
  if (items === null) return "null";
  return block(
    "[",
    items.map((item) => write(item, depth + 1)),
    depth,
  );
}

function texts(items: readonly string[] | null, depth: number): string {
  return list(items, depth, text);
}

function block(open: "{" | "[", parts: readonly string[], depth: number): string {
  const close = open === "{" ? "}" : "]";
  if (parts.length === 0) return open + close;
  const start = lineBreak(depth + 1);
  return `${open}${start}${parts.join(`,${start}`)}${lineBreak(depth)}${close}`;
}

const lineBreaks: string[] = [];

/** The end of a line, and the blanks that the next one starts with. */
function lineBreak(depth: number): string {
  lineBreaks[depth] ??= `\n${" ".repeat(depth)}`;
  return lineBreaks[depth];
}

function hasItems<Item>(items: readonly Item[] | undefined): items is readonly Item[] {
  return items !== undefined && items.length > 0;
}

/** What every writer of JSON leaves as it is. */
const plainText = /^[ !#-[\]-~]*$/;

/** JSON as Go writes it: U+2028 and U+2029 are escaped too. */
function text(value: string): string {
  if (plainText.test(value)) return `"${value}"`;
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) =>
    character === "\u2028" ? "\\u2028" : "\\u2029",
  );
}

/** Type texts go through Go's %q: what cannot be printed is escaped, and a backslash of a JSON source is doubled. */
function typeText(type: string): string {
  if (plainText.test(type)) return `"${type}"`;
  return text(type).replace(/[^\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (character) =>
    // Written as UTF-16 code units, since JSON has no other escapes.
    Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, "0")}`;
}
