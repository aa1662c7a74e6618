/** Reads types as other languages write them, for the advice of diagnostics. */

/** A type of another language, as RIDL writes it. */
export interface ForeignType {
  readonly type: string;
  readonly optional?: true;
  readonly nullable?: true;
  readonly stream?: true;
  /** Meta lines of the value itself: `format = uuid`. */
  readonly meta?: readonly string[];
  /** The declarations that the type needs. */
  readonly declared?: readonly ForeignDeclaration[];
  /** Errors that are a part of the type: `Result<Order, NotFound>`. */
  readonly errors?: readonly string[];
}

/** A declaration as RIDL writes it: `type Uuid: string` with the line `+ format = uuid`. */
interface ForeignDeclaration {
  readonly head: string;
  readonly lines: readonly string[];
  /** A meta line below each line. */
  readonly each?: string;
  /** Whether fields are left to the author. */
  readonly isPartial?: boolean;
}

/** Where a type is written. Arguments and elements of lists have no meta lines. */
export interface TypePlace {
  readonly kind: "field" | "argument" | "alias";
  readonly name: string;
  readonly optional: boolean;
}

/** Names that mean a core type and nothing else, in lower case. */
export const sameNames: ReadonlyMap<string, string> = new Map([
  ...entries("boolean", "bool"),
  ...entries("str", "string"),
  ...entries("u8", "uint8"),
  ...entries("u16 ushort", "uint16"),
  ...entries("u32", "uint32"),
  ...entries("u64 ulong", "uint64"),
  ...entries("i8", "int8"),
  ...entries("i16 short", "int16"),
  ...entries("i32", "int32"),
  ...entries("i64 long", "int64"),
  ...entries("f32", "float32"),
  ...entries("f64 double", "float64"),
]);

/** Names for values that a type can hold, although it may not be the only choice: the type, and the format of its values. */
const similarNames: ReadonlyMap<string, string> = new Map([
  ...entries(
    "text varchar nvarchar char character bpchar nchar clob tinytext mediumtext longtext citext id objectid",
    "string",
  ),
  ...entries("uuid guid", "string uuid"),
  ...entries("email emailstr", "string email"),
  ...entries("url uri anyurl httpurl", "string uri"),
  ...entries("decimal numeric bigdecimal money currency", "string decimal"),
  ...entries("date localdate plaindate", "string date"),
  ...entries("time localtime plaintime", "string time"),
  ...entries("duration timedelta timespan interval", "string duration"),
  ...entries("hostname", "string hostname"),
  ...entries("ipv4 ip inet ipaddress", "string ipv4"),
  ...entries("ipv6", "string ipv6"),
  ...entries(
    "datetime timestamptz instant localdatetime zoneddatetime offsetdatetime utcdatetime plaindatetime date-time time.time",
    "timestamp",
  ),
  ...entries("tinyint sbyte", "int8"),
  ...entries("smallint int2", "int16"),
  ...entries("mediumint int4 sint32 sfixed32 int32value", "int32"),
  ...entries("sint64 sfixed64 int64value safeint", "int64"),
  ...entries("fixed32 serial smallserial uint32value", "uint32"),
  ...entries("fixed64 bigserial uint64value usize", "uint64"),
  ...entries("real floatvalue float4", "float32"),
  ...entries("doublevalue float8", "float64"),
  ...entries("boolvalue bit", "bool"),
  ...entries("stringvalue", "string"),
  ...entries("bignum biginteger int128 uint128 int256 uint256 i128 u128", "bigint"),
  ...entries("bytes bytesvalue bytea blob binary varbinary buffer uint8array bytestring", "[]byte"),
  ...entries("json jsonb unknown mixed dynamic", "any"),
  ...entries("uploadfile multipartfile multipart upload", "file"),
]);

const chooseNumber = "Write int32, uint64 or another integer type for whole numbers, and float64 for others.";
const chooseObject = "Declare a struct, or write map<string,any> for any object.";
const nothing = "Remove it, or write an optional field: a value that is never there has no type.";

const adviceByName: ReadonlyMap<string, string> = new Map([
  ...entries("number float num", chooseNumber),
  ...entries("integer", "Write int32, uint64 or another integer type."),
  ...entries("unsigned", "Write uint32, uint64 or another integer type."),
  ...entries("object hash record", chooseObject),
  ...entries(
    "repeated array list vector slice set collection iterable tuple",
    "Write brackets before the type of the elements, such as []string.",
  ),
  ...entries("dict dictionary hashmap", "Write the types of keys and values, such as map<string,int32>."),
  ...entries("void unit empty never nothing none nil undefined", nothing),
  ...entries("optional nullable maybe", 'Write "?" after the name, such as "note?: string".'),
  ...entries("readonly const required final", "Remove the word."),
  ...entries(
    "enum",
    'Declare "enum Side: string" with a line "- value" for each value below it, and write its name here.',
  ),
  ...entries(
    "union",
    'Write a struct with an optional field for each type, and "+ oneOf = GROUP" below each of them.',
  ),
]);

function entries(names: string, meaning: string): (readonly [string, string])[] {
  return names.split(" ").map((name) => [name, meaning]);
}

/** What a name of another language means: a type, or advice if there is a choice. */
export function foreignName(name: string): ForeignType | string | undefined {
  for (const word of [name, name.slice(name.lastIndexOf(".") + 1)].map((text) => text.toLowerCase())) {
    const native = word !== name && coreName.test(word) ? word : undefined;
    const [type, format] = (sameNames.get(word) ?? similarNames.get(word) ?? native ?? "").split(" ");
    if (type) return format === undefined ? { type } : { type, meta: [`format = ${format}`] };
    const advice = adviceByName.get(word);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

const coreName: RegExp = /^(any|bigint|bool|byte|file|string|timestamp|u?int(8|16|32|64)?|float(32|64))$/;

/** What the text of a type is read in: the name of its field or argument, and whether a name is an error. */
interface ReadContext {
  readonly name: string;
  readonly isError: (name: string) => boolean;
}

/** Reads the text behind the name of a field, as far as the languages that people know write it. */
export function readForeignType(text: string, context: ReadContext): ForeignType | undefined {
  const trimmed = text
    .trim()
    .replace(/[ \t]*[;,]$/, "")
    .replaceAll("::", ".");
  if (trimmed.length > maxLength) return undefined;
  const members = splitAt(trimmed, "|");
  // A default belongs to the whole union.
  if (members.length > 1 && !defaultForm.test(trimmed)) return union(members, context);
  for (const [form, build] of forms) {
    const [found, ...parts] = form.exec(trimmed) ?? [];
    if (found !== undefined)
      return build(
        parts.map((part = "") => part),
        context,
      );
  }
  return undefined;
}

/** Maximum number of characters to read. */
const maxLength = 120;

const defaultForm: RegExp =
  /^(.+?)[ \t]*(?::?=(?!>)|\bdefault\b[ \t]*[(=:]?|@default\()[ \t]*("[^"]*"|'[^']*'|[\w.-]+)\)?$/i;

type Build = (parts: readonly string[], context: ReadContext) => ForeignType | undefined;

/** Reads a part of the text, and adds what its form means. */
function inner(more: Partial<ForeignType> = {}): Build {
  return ([text = ""], context) => {
    const type = readForeignType(text, context);
    return type && { ...type, ...more, meta: [...(type.meta ?? []), ...(more.meta ?? [])] };
  };
}

const list: Build = ([text = ""], context) => {
  const type = readForeignType(text, context);
  const element = type && asElement(type);
  return element && { ...element, type: `[]${element.type}` };
};

const map: Build = ([key = "", value = ""], context) => {
  const keyType = readForeignType(key, context);
  const type = readForeignType(value, context);
  const element = type && asElement(type);
  return element && keyType && { ...element, type: `map<${keyType.type},${element.type}>` };
};

/** Gives a type with meta lines a name, because elements and arguments have none. */
function asElement(type: ForeignType, name?: string): ForeignType {
  const { meta = [], optional: _, nullable: __, ...rest } = type;
  if (meta.length === 0) return rest;
  const format = /^format = (.*)/.exec(meta[0] ?? "")?.[1] ?? "";
  const preferred = capital(formatNames[format] ?? (format || name || type.type));
  const alias = preferred === type.type ? `Default${preferred}` : preferred;
  const own = { head: `type ${alias}: ${type.type}`, lines: meta.map((line) => `+ ${line}`) };
  return { ...rest, type: alias, declared: [...(type.declared ?? []), own] };
}

/** Names of types that say more than the name of the format. */
const formatNames: Readonly<Record<string, string>> = { date: "day", time: "timeOfDay" };

function union(members: readonly string[], context: ReadContext): ForeignType | undefined {
  const trimmed = members.map((member) => member.trim()).filter((member) => member !== "");
  const types = trimmed.filter((member) => !/^(null|undefined|nil|none|void)$/i.test(member));
  const errors = types.filter((member) => context.isError(member));
  const rest = types.filter((member) => !errors.includes(member));
  const type = unionOf(rest, context);
  if (type === undefined) return undefined;
  const isNullable = types.length < trimmed.length;
  return {
    ...type,
    ...(isNullable && {
      optional: true,
      ...(trimmed.some((one) => /^null$/i.test(one)) && { nullable: true }),
    }),
    ...(errors.length > 0 && { errors }),
  };
}

function unionOf(members: readonly string[], context: ReadContext): ForeignType | undefined {
  const [first, ...more] = members;
  if (first === undefined) return undefined;
  const isValue = (word: string): boolean =>
    /^[a-z][\w-]*$/.test(word) && !coreName.test(word) && foreignName(word) === undefined;
  const values = members.map((member) =>
    more.length > 0 && isValue(member) ? member : /^(["'`])(.+)\1$/.exec(member)?.[2],
  );
  if (values.every((value) => value !== undefined)) return enumOf(values, context);
  if (more.length === 0) return readForeignType(first, context);
  const types = members.map((member) => {
    const type = readForeignType(member, context);
    return type && asElement(type);
  });
  if (!types.every((type) => type !== undefined)) return undefined;
  const struct = capital(context.name);
  const fields = types.map(
    ({ type }) => `- ${coreName.test(type) ? `${type}Value` : nameFor(type)}?: ${type}`,
  );
  const declared = types.flatMap((type) => type.declared ?? []);
  return {
    type: struct,
    declared: [...declared, { head: `struct ${struct}`, lines: fields, each: "+ oneOf = value" }],
  };
}

function enumOf(values: readonly string[], { name }: ReadContext): ForeignType {
  const type = capital(name);
  const lines = values.map((value) => {
    const word = value.replaceAll(/\W/g, "_");
    return word === value ? `- ${value}` : `- ${word} = ${/\s/.test(value) ? `"${value}"` : value}`;
  });
  return { type, declared: [{ head: `enum ${type}: string`, lines }] };
}

const derived =
  (suffix: string, key: string): Build =>
  ([type = "", fields = ""]) => {
    const base = capital(type);
    const names = fields.match(/\w+/g);
    const lines =
      key === "partial" ? ["+ partial = true"] : (names ?? ["field"]).map((name) => `+ ${key} = ${name}`);
    return { type: `${base}${suffix}`, declared: [{ head: `type ${base}${suffix}: ${base}`, lines }] };
  };

/** Limits in other languages, with the keys for text, lists and other values. */
const limitKeys: Readonly<Record<string, readonly [text: string, list: string, other: string]>> = {
  min: ["minLength", "minItems", "minimum"],
  max: ["maxLength", "maxItems", "maximum"],
  length: ["maxLength", "maxItems", "maximum"],
  pattern: ["pattern", "pattern", "pattern"],
};

/** `(min: 1, max: 5)`, `.min(1).max(5)` and `@min(1)` behind a type. */
const limited: Build = ([text = "", limits = ""], context) => {
  const type = readForeignType(text, context);
  if (type === undefined) return undefined;
  const index = type.type === "string" ? 0 : type.type.startsWith("[]") ? 1 : 2;
  const found = limits.matchAll(
    /(min|max|length|len|size|pattern|regex|gte?|lte?)\w*[ \t]*[:=(][ \t]*("[^"]*"|[\w.-]+)/gi,
  );
  const meta = [...found].map(([, word = "", bound = ""]) => {
    const key = limitKeys[limitNames[word.toLowerCase()] ?? word.toLowerCase()]?.[index];
    return `${key} = ${bound}`;
  });
  return meta.length === 0 ? undefined : { ...type, meta: [...(type.meta ?? []), ...meta] };
};

const limitNames: Readonly<Record<string, string>> = {
  len: "length",
  size: "length",
  regex: "pattern",
  gt: "min",
  gte: "min",
  lt: "max",
  lte: "max",
};

/** The forms, most special first. */
const forms: readonly (readonly [form: RegExp, build: Build])[] = [
  // Defaults, and words of SQL.
  [/^(.+?)[ \t]*:?=[ \t]*(\d+)$/, numbered],
  [/^(.+?)[ \t]*=[ \t]*(?:none|null|nil|undefined)$/i, inner({ optional: true })],
  [/^(.+?)[ \t]*=[ \t]*[\w.]+\(.*\)$/, inner()],
  [defaultForm, defaulted],
  [/^(.+?)[ \t]+not[ \t]+null\b.*$/i, inner()],
  [/^(.+?)[ \t]+null(?:able)?$/i, inner({ optional: true, nullable: true })],
  [/^(.+?)[ \t]+(?:primary[ \t]+key|unique|auto_?increment|references\b.*|index|unsigned)$/i, inner()],
  [/^(.+?)[ \t]*[({][ \t]*((?:min|max|len|size|pattern|regex|gt|lt).*)[)}]$/i, limited],
  [/^(.+?)[ \t]+(@(?:min|max|len|size|pattern|regex).*)$/i, limited],
  [/^(.+?)[ \t]+@(?:\w+\(.*\)|id|unique|required|key)$/, inner()],
  [/^(.+?)[ \t]*(?:range[ \t]*)?[([]?(-?\d+)[ \t]*\.\.=?[ \t]*(-?\d+)[)\]]?$/i, ranged],
  [
    /^(?:string[ \t]+(?:matches[ \t]+)?)?\/([^\s"#]+)\/[a-z]*$/,
    ([pattern = ""]) => ({ type: "string", meta: [`pattern = ${pattern}`] }),
  ],
  [/^(.+?)[ \t,]+[([]?optional[)\]]?$/i, inner({ optional: true })],
  [/^(.+?)[ \t,]+[([]?required[)\]]?$/i, inner()],
  [/^double[ \t]+precision$/i, () => ({ type: "float64" })],
  [/^long[ \t]+long$/i, () => ({ type: "int64" })],
  [/^unsigned[ \t]+(?:int|integer)$/i, () => ({ type: "uint32" })],
  [/^timestamp[ \t]+with(?:out)?[ \t]+time[ \t]+zone$/i, () => ({ type: "timestamp" })],
  [/^(?:\w+\.)*datetime<\w+>$/i, () => ({ type: "timestamp" })],
  // Builders: `z.string().email()`.
  [/^(?:z|t|v|s|yup|joi|type|schema|types|sa|fields)\.(\w.*)$/i, inner()],
  [/^(.+)\.(?:optional|nullish)\(\)$/i, inner({ optional: true })],
  [/^(.+)\.nullable\(\)$/i, inner({ optional: true, nullable: true })],
  [/^(.+)\.(email|uuid|url|datetime|date)\(\)$/i, formatted],
  [/^number\(\)(.*)$/i, ([rest = ""]) => ({ type: rest.includes("int") ? "int32" : "float64" })],
  [/^(\w+)(?:\(\))?((?:\.(?:min|max|length|regex|gte?|lte?)\w*\([^()]*\))+)$/i, limited],
  [/^(.+)\.(?:int|positive|trim|nonempty|required|finite)\(\)$/i, inner()],
  // Unions.
  [
    /^enum[ \t]*[<([{]\[?(.*?)\]?[>)\]}]$/i,
    ([text = ""], context) =>
      enumOf(
        splitAt(text, ",").map((value) => value.trim().replaceAll(/^["'`]|["'`]$/g, "")),
        context,
      ),
  ],
  [
    /^(?:oneOf|anyOf|union|either|variant|literal)[<([]\[?(.*?)\]?[>)\]]$/i,
    ([text = ""], context) => union(splitAt(text, ","), context),
  ],
  [/^(["'`].+["'`])$/, ([text = ""], context) => union([text], context)],
  // Words before the type.
  [/^(?:optional|maybe)[ \t]+(.+)$/i, inner({ optional: true })],
  [/^nullable[ \t]+(.+)$/i, inner({ optional: true, nullable: true })],
  [/^(?:repeated|list[ \t]+of|array[ \t]+of|vararg|\.\.\.)[ \t]*(.+)$/i, list],
  [/^(?:readonly|const|required|final|mut|ref|stream|async|public|private)[ \t]+(.+)$/i, inner()],
  [/^[*](.+)$/, inner({ optional: true })],
  [/^&(.+)$/, inner()],
  [/^\{[ \t]*(\w+\??[ \t]*:.+)\}$/, inlineStruct],
  [/^(\w+(?:[ \t]*&[ \t]*\w+)+)$/, intersection],
  // Marks behind the type.
  [/^(.+)\?$/, inner({ optional: true })],
  [/^(.+)!$/, inner()],
  [/^(.+)\[\]$/, list],
  [/^(.+)\[(\d+)\]$/, sized],
  [/^\[\](.+)$/, list],
  [/^\[(\d+)\](.+)$/, ([size = "", text = ""], context) => sized([text, size], context)],
  [/^\[(.+);[ \t]*(\d+)\]$/, sized],
  [/^\[(\w+)[ \t]*:[ \t]*(\w+)\]$/, map],
  [/^(?:map|dict|hash)\[(\w+)\](.+)$/i, map],
  [/^\{[ \t]*\[[ \t]*(?:\w+[ \t]*:[ \t]*)?(\w+)\][ \t]*:[ \t]*(.+?)[ \t]*;?[ \t]*\}$/, map],
  [/^(?:tuple|pair)?[(<[](.+,.+)[)>\]]$/i, tuple],
  [/^\[(.+)\]$/, list],
  [/^(?:interface[ \t]*)?\{[ \t]*\}$/, () => ({ type: "any" })],
  // Types with parameters.
  [/^(?:partial)<(\w+)>$/i, derived("Patch", "partial")],
  [/^pick<(\w+),(.+)>$/i, derived("View", "pick")],
  [/^omit<(\w+),(.+)>$/i, derived("Input", "omit")],
  [
    /^(?:array|list|vec|vector|slice|seq|sequence|set|frozenset|hashset|collection|iterable|arraylist|linkedlist|readonlyarray)[<([](.+)[>)\]]$/i,
    list,
  ],
  [
    /^(?:map|hashmap|record|dict|dictionary|btreemap|hash|readonlymap|mapping)[<[][ \t]*([\w.]+)[ \t]*,[ \t]*(.+)[>\]]$/i,
    map,
  ],
  [/^(?:option|optional|maybe|nullable|nullish)[<([](.+)[>)\]]$/i, inner({ optional: true })],
  [
    /^(?:observable|flux|flow|stream|channel|chan|async(?:iterable|iterator|generator|stream|sequence)|iasyncenumerable)[<[]([^,]+)(?:,.*)?[>\]]$/i,
    inner({ stream: true }),
  ],
  [/^(?:result|response|try|fallible)[<[](.+)[>\]]$/i, result],
  [
    /^(?:promise|future|task|deferred|mono|single|lazy|box|rc|arc|ref|readonly|required|nonnullable|awaited|annotated|immutable)[<[]([^,]+)(?:,.*)?[>\]]$/i,
    inner(),
  ],
  [
    /^(?:(?:n?var)?char|string|text)\((\d+)\)$/i,
    ([length = ""]) => ({ type: "string", meta: [`maxLength = ${length}`] }),
  ],
  [/^([a-z]\w*)\([\d, ]*\)$/i, inner()],
  [/^([A-Z]\w*)[<[](\w+)[>\]]$/, generic],
  [/^([A-Za-z_][\w.-]*)$/, named],
];

function named([name = ""]: readonly string[]): ForeignType | undefined {
  const word = name.toLowerCase();
  if (coreName.test(word)) return { type: word };
  const type = foreignName(name);
  // Of these, the author chooses a type in the next step.
  if (typeof type === "string")
    return /^(number|float|num|integer|object)$/.test(word) ? { type: name } : undefined;
  return type ?? (/^\w+$/.test(name) ? { type: name } : undefined);
}

/** `Page<Order>` is a struct of its own. */
function generic([name = "", parameter = ""]: readonly string[]): ForeignType {
  const struct = `${capital(parameter)}${name}`;
  const lines = /page|paginat|list|connection/i.test(name) ? [`- items: []${parameter}`] : [];
  return { type: struct, declared: [{ head: `struct ${struct}`, lines, isPartial: true }] };
}

function defaulted(
  [text = "", value = ""]: readonly string[],
  context: ReadContext,
): ForeignType | undefined {
  const type = readForeignType(text, context);
  const bare = value.replaceAll(/^["']|["']$/g, "");
  if (type === undefined) return undefined;
  const quoted = /^[^\s"#]+$/.test(bare) ? bare : `"${bare}"`;
  return { ...type, optional: true, meta: [...(type.meta ?? []), `default = ${quoted}`] };
}

/** `id: string = 1` numbers a field of Protocol Buffers, unless the value is a default of the type. */
function numbered(parts: readonly string[], context: ReadContext): ForeignType | undefined {
  const type = readForeignType(parts[0] ?? "", context);
  return type && /^(u?int|float|byte$|bigint)/.test(type.type) ? defaulted(parts, context) : type;
}

/** `int8 range 0..10`, `int32 (0..10)`. */
function ranged(
  [text = "", low = "", high = ""]: readonly string[],
  context: ReadContext,
): ForeignType | undefined {
  const type = readForeignType(text, context);
  return type && { ...type, meta: [`minimum = ${low}`, `maximum = ${high}`] };
}

function sized([text = "", size = ""]: readonly string[], context: ReadContext): ForeignType | undefined {
  const type = list([text], context);
  return type && { ...type, meta: [`minItems = ${size}`, `maxItems = ${size}`] };
}

/** Elements of one type are a list, and others a struct. */
function tuple([text = ""]: readonly string[], context: ReadContext): ForeignType | undefined {
  const elements = splitAt(text, ",");
  if (elements.length === 1) return list(elements, context);
  const types = elements.map((element) => readForeignType(element, context)?.type);
  if (types.every((type) => type === types[0]))
    return sized([elements[0] ?? "", `${elements.length}`], context);
  if (!types.every((type) => type !== undefined)) return undefined;
  const struct = capital(context.name);
  const fields = types.map(
    (type, index) => `- ${["first", "second", "third"][index] ?? `item${index + 1}`}: ${type}`,
  );
  return { type: struct, declared: [{ head: `struct ${struct}`, lines: fields }] };
}

const formatsByBuilder: Readonly<Record<string, string>> = { url: "uri", datetime: "date-time" };

function formatted([text = "", word = ""]: readonly string[], context: ReadContext): ForeignType | undefined {
  const type = readForeignType(text, context);
  const format = formatsByBuilder[word.toLowerCase()] ?? word.toLowerCase();
  return type && { ...type, meta: [...(type.meta ?? []), `format = ${format}`] };
}

/** `{ limit: int32, after?: string }`. */
function inlineStruct([text = ""]: readonly string[], context: ReadContext): ForeignType | undefined {
  const struct = capital(context.name);
  const declared: ForeignDeclaration[] = [];
  const fields = splitAt(text.replaceAll(";", ","), ",").map((part) => {
    const [, name = "", mark = "", written = ""] = /^[ \t]*(\w+)(\??)[ \t]*:[ \t]*(.+)$/.exec(part) ?? [];
    const type = readForeignType(written, { ...context, name });
    const element = type && asElement(type, name);
    declared.push(...(element?.declared ?? []));
    return element && `- ${name}${type?.optional === true ? "?" : mark}: ${element.type}`;
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  return { type: struct, declared: [...declared, { head: `struct ${struct}`, lines: fields }] };
}

/** `Order & Priced`: structs do not inherit. */
function intersection([text = ""]: readonly string[], { name }: ReadContext): ForeignType {
  const struct = capital(name);
  const fields = text.split("&").map((part) => `- ${nameFor(part.trim())}: ${part.trim()}`);
  return { type: struct, declared: [{ head: `struct ${struct}`, lines: fields }] };
}

function result([text = ""]: readonly string[], context: ReadContext): ForeignType | undefined {
  const [value = "", ...errors] = splitAt(text, ",").map((part) => part.trim());
  const type = readForeignType(value, context);
  const names = errors.filter((name) => /^[A-Z]\w*$/.test(name));
  return type && { ...type, ...(names.length > 0 && { errors: names }) };
}

/** Splits at a separator that is not within brackets. */
export function splitAt(text: string, separator: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if ("([{<".includes(character)) depth++;
    if (")]}>".includes(character)) depth--;
    if (character === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** `Order` → `order`, `[]Order` → `orders`, and a plain word for core types. */
export function nameFor(type: string): string {
  const element = type.replaceAll(/^(\[\])+/g, "");
  const word = /^\w+$/.test(element) ? element : "values";
  if (coreName.test(word) && word !== "file") return type === word ? "value" : "values";
  return `${word.charAt(0).toLowerCase()}${word.slice(1)}${type === element ? "" : "s"}`;
}

function capital(name: string): string {
  return name
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function quotedLines(lines: readonly string[], prefix = ""): string {
  const quoted = lines.map((line) => `"${prefix}${line}"`);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}

export type SchemaForm = "ridl" | "yaml";

/** `Declare "type Uuid: string" with "+ format = uuid" below it`. Empty without declarations. */
function declaring(declared: readonly ForeignDeclaration[], form: SchemaForm): string {
  if (declared.length === 0) return "";
  const texts = declared.map((one) => (form === "yaml" ? yamlDeclaration(one) : ridlDeclaration(one)));
  return `Declare ${texts.join(", and ")}${form === "yaml" ? ' below "types:"' : ""}`;
}

function ridlDeclaration({ head, lines, each, isPartial }: ForeignDeclaration): string {
  const below = lines.length === 0 ? "" : ` with ${quotedLines(lines)}`;
  const more = each === undefined ? "" : `, each with "${each}"`;
  return `"${head}"${below}${more}${isPartial === true ? " and its other fields" : ""} below it`;
}

/** `"Uuid: { type: string, format: uuid }"` */
function yamlDeclaration({ head, lines, each, isPartial }: ForeignDeclaration): string {
  const [, kind, name, type = ""] = /^(\w+) (\w+)(?:: (.*))?$/.exec(head) ?? [];
  const items = lines.map((line) => line.slice(2).replaceAll('"', "'"));
  const more = isPartial === true ? " with its other fields" : "";
  if (kind === "type") return `"${name}: ${yamlType(type, items)}"`;
  if (kind === "enum")
    return `"${name}: { enum: ${type}, values: [${items.map((item) => item.replace(" = ", ": ")).join(", ")}] }"`;
  const fields = items.map((item) => {
    const [, field = "", fieldType = ""] = /^([^:]+): (.*)$/.exec(item) ?? [];
    return `${field}: ${yamlType(fieldType, each === undefined ? [] : [each.slice(2)], true)}`;
  });
  return `"${name}: { fields: { ${fields.join(", ")} } }"${more}`;
}

/** `string`, or `{ type: string, format: uuid }`. Within brackets, brackets and commas need quotes. */
function yamlType(ridlType: string, meta: readonly string[] = [], isWithin = meta.length > 0): string {
  const plain = yamlListType(ridlType);
  const type = isWithin && /[[\],]/.test(plain) ? `'${plain}'` : plain;
  const keys = meta.map((line) => {
    const [, key = "", value = ""] = /^(\S+) = (.*)$/.exec(line) ?? [];
    const text = value.replaceAll('"', "'");
    return `${key}: ${/^[^']*[[\]{},#&*!|>%@`?]/.test(text) ? `'${text.replaceAll("'", "''")}'` : text}`;
  });
  return keys.length === 0 ? type : `{ ${[`type: ${type}`, ...keys].join(", ")} }`;
}

/** `[]Order` → `Order[]` */
function yamlListType(type: string): string {
  const [, key, value = ""] = /^map<([^,]+),(.*)>$/.exec(type) ?? [];
  if (key !== undefined) return `map<${key},${yamlListType(value)}>`;
  return type.startsWith("[]") ? `${yamlListType(type.slice(2))}[]` : type;
}

/**
 * The advice for a type at its place: `Write "- id: string", and below it "+ format = uuid".` Without a place, for an element of a list or
 * a map.
 */
export function adviseType(foreign: ForeignType, place: TypePlace | undefined, form: SchemaForm): string {
  const hasMeta = place !== undefined && place.kind !== "argument";
  const {
    type,
    meta = [],
    declared = [],
    ...found
  } = hasMeta ? foreign : { ...foreign, ...asElement(foreign, place?.name), meta: [] };
  const first = declaring(declared, form);
  const before = first === "" ? "Write" : `${first}, and write`;
  if (place === undefined)
    return `${before} "${form === "yaml" ? yamlType(type) : type}"${first === "" ? "" : " here"}.`;
  const { kind, name, optional } = place;
  if (kind === "alias" && type === name) return `${first}.`;
  const mark = kind !== "alias" && (optional || found.optional === true) ? "?" : "";
  const isNullable = kind === "field" && found.nullable === true;
  if (form === "yaml")
    return `${before} "${name}${mark}: ${yamlType(type, meta)}".${isNullable ? nullableAdvice('"nullable: always"') : ""}`;
  const line = `${{ alias: "type ", field: "- ", argument: "" }[kind]}${name}${mark}: ${type}`;
  const below = meta.length === 0 ? "" : `, and below it ${quotedLines(meta, "+ ")}`;
  return `${before} "${line}"${below}.${isNullable ? nullableAdvice('"+ nullable = always" below it') : ""}`;
}

function nullableAdvice(line: string): string {
  return ` With ${line}, null differs from an absent value.`;
}

/** The advice for a response: `Write "=> (order?: Order) errors NotFound".` */
export function adviseResponse(text: string, isError: (name: string) => boolean): string | undefined {
  const [, body = "", clause = ""] =
    /^(.*?)(?:[ \t]*(?:\b(?:errors|throws|raises)\b:?|!)[ \t]*([^!>]*))?$/.exec(text.trim()) ?? [];
  const [, outside = "", list = body.replace(/^stream[ \t]+/, "")] =
    /^(stream[ \t]*)?(?:[({](.*)[)}]|.*)$/.exec(body) ?? [];
  const elementsText = list.replace(/^stream[ \t]+/, "");
  const parts = splitAt(elementsText, ",").filter(
    (part) => !/^[ \t]*(err|error|exception)[ \t]*$/i.test(part),
  );
  if (
    parts.length === 1 &&
    /^(void|unit|none|null|nothing|never|undefined|empty|20[0-5]|google\.protobuf\.Empty|(?:promise|future|task)(<(void|unit)>)?)$/i.test(
      elementsText.trim(),
    )
  )
    return 'Remove it: a method without "=>" returns nothing.';
  const results = parts.map((part) => {
    const [, name, mark, type = part] = /^[ \t]*(\w+)(\??)[ \t]*:[ \t]*(.*)$/.exec(part) ?? [];
    const read = readForeignType(type, { name: name ?? "result", isError });
    return read && { name: name ?? nameFor(asElement(read).type), optional: mark === "?", read };
  });
  if (!results.every((one) => one !== undefined)) return undefined;
  const elements = results.map(({ name, optional, read }) => ({
    ...read,
    ...asElement(read, name),
    name,
    optional: optional || read.optional === true,
  }));
  const written = elements.map(({ name, optional, type }) => `${name}${optional ? "?" : ""}: ${type}`);
  const declared = elements.flatMap((one) => one.declared ?? []);
  const isStream = outside !== "" || elementsText !== list || elements.some(({ stream }) => stream === true);
  const errors = [
    ...elements.flatMap((one) => one.errors ?? []),
    ...(clause.match(/\b(?!or\b|and\b)[A-Za-z]\w*/g) ?? []),
  ];
  const line = `=> ${isStream ? "stream " : ""}(${written.join(", ")})${errors.length === 0 ? "" : ` errors ${errors.join(" | ")}`}`;
  return `${declared.length === 0 ? "Write" : `${declaring(declared, "ridl")}, and write`} "${line}".`;
}
