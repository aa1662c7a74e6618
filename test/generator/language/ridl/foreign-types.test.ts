/** Follows the advice for types of other languages literally: the result must be valid and mean what was written. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const head =
  'webrpc = v1\nname = a\nversion = v1\nbasepath = /\n\nerror 1 NotFound "none" HTTP 404\nerror 2 Gone "gone" HTTP 410\n\nstruct Order\n  - id: uint64\n  - note: string\n\nstruct Cat\n  - name: string\n\nstruct Dog\n  - name: string\n\n';

/** What surrounds the text: the lines of a field, an argument, a response, an alias or a declaration. */
const places = {
  field: (text: string) => `struct S\n  - ${text}\n`,
  argument: (text: string) => `service X\n  - Get(${text}) => (ok: bool)\n`,
  response: (text: string) => `service X\n  - Get(id: uint64) ${text}\n`,
  alias: (text: string) => `${text}\n`,
  value: (text: string) => `enum P: string\n  - ${text}\n`,
} as const;

type Place = keyof typeof places;

function lint(text: string): readonly Diagnostic[] {
  return compile("a.ridl", memoryReader({ "a.ridl": head + text }), { strict: true }).diagnostics;
}

/** The texts between quotes. */
function quoted(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"]|"(?=[^"]*"" ?(?:and|below|\.)))*)"/g)].map(([, line = ""]) => line);
}

/** Writes what an advice says, and the declarations that it needs. */
function follow(place: Place, { advice = "", message }: Diagnostic, text: string): string {
  if (/^Remove it: a method/.test(advice)) return places.response("").replace(" \n", "\n");
  const base = /write a field "(.*?)"/.exec(advice)?.[1];
  if (base !== undefined) return `struct P\n  ${base}\n`;
  const line = /^Write '(.*)'\.$/.exec(advice)?.[1];
  if (line !== undefined) return `${line}\n`;
  const declared = [
    ...advice.matchAll(/"((?:type|struct|enum) [^"]+)" with (.*?)(?: and its other fields)? below it/g),
  ].map(([, head = "", below = ""]) => {
    const [fields = "", group] = below.split(", each with ");
    const lines = quoted(fields).map(
      (each) => `  ${each}\n${group === undefined ? "" : `    ${quoted(group)[0]}\n`}`,
    );
    return `${head}\n${lines.join("")}\n`;
  });
  const values = /^Write "(enum .*?)", and below it a line for each value: (.*)\.$/.exec(advice);
  if (values !== null)
    return `${values[1]}\n${quoted(values[2] ?? "")
      .map((each) => `  ${each}\n`)
      .join("")}`;
  const element = /write "(\w+)" here/.exec(advice)?.[1];
  const unknown = /no type "(.*)"/.exec(message)?.[1] ?? "";
  if (element !== undefined) return declared.join("") + places[place](text.replace(unknown, element));
  if (/^Write "\w+"\.$/.test(advice)) return places[place](text.replace(unknown, quoted(advice)[0] ?? ""));
  const [, written = "", below = ""] =
    /[Ww]rite "([^"]+)"(?:, and below it (.*?))?\.( |$)/.exec(advice) ?? [];
  const use =
    place === "response" && !written.startsWith("=>") ? `=> (${written})` : written.replace(/^- /, "");
  const indent = place === "alias" ? "  " : "    ";
  const lines = quoted(below).map((each) => `${indent}${each}\n`);
  return declared.join("") + (written === "" ? "" : places[place](use)) + lines.join("");
}

/** Follows the last advice that says what to write, or the suggestion without one. */
function mend(place: Place, text: string): string {
  const found = lint(places[place](text));
  const advised = found.findLast(
    ({ advice = "", fix }) =>
      fix === undefined && /^(Write|Declare|Remove it: a method|Structs do)/.test(advice),
  );
  if (advised !== undefined) return follow(place, advised, text);
  return applyFixes(withSuggestions(found)).files[0]?.text.slice(head.length) ?? "";
}

/** What people write who know other languages. */
const rows: readonly (readonly [place: Place, written: string])[] = [
  ["field", "a: uuid"],
  ["field", "tags: []email"],
  ["field", "m: map<string, []decimal>"],
  ["field", "day: LocalDate"],
  ["field", "at: Date"],
  ["field", "at: google.protobuf.Timestamp"],
  ["field", "price: decimal(10, 2)"],
  ["field", "name: VARCHAR(64) NOT NULL"],
  ["field", "name VARCHAR(64) NOT NULL"],
  ["field", "n: Option<Vec<u8>>"],
  ["field", "n: Optional[List[str]]"],
  ["field", "n: Dict[str, int32]"],
  ["field", "n: List<List<Int>>"],
  ["field", "n: string[][]"],
  ["field", "n: Array<Order | null>"],
  ["field", "n: Maybe Order"],
  ["field", "n: *Order"],
  ["field", "n: []*Order"],
  ["field", "n: &str"],
  ["field", "n: [Order!]!"],
  ["field", "n: [String: Int32]"],
  ["field", "n: {[key: string]: Order}"],
  ["field", "n: map<UUID,Order>"],
  ["argument", "ids: []UUID"],
  ["field", "n: Set<Order>"],
  ["field", "n: [int32; 4]"],
  ["field", "n: (float64, string)"],
  ["field", "n: [float64, float64]"],
  ["field", "n: Cat | Dog"],
  ["field", "n: oneOf<Cat, Dog>"],
  ["field", "n: Union[Cat, Dog]"],
  ["field", "n: Cat | Dog | null"],
  ["field", 'n: "in-progress" | "done"'],
  ["field", 'n: Literal["a", "b"]'],
  ["field", "n: open | closed"],
  ["field", "n: enum(open, closed)"],
  ["field", "n: Enum('a', 'b')"],
  ["field", "n: string | undefined"],
  ["field", 'n: Pick<Order, "id">'],
  ["field", "n: Partial<Order>"],
  ["field", "n: Readonly<Order>"],
  ["field", "n: z.string().min(3).max(9)"],
  ["field", "n: z.array(z.string()).optional()"],
  ["field", "n: z.number().int()"],
  ["field", 'n: z.enum(["a", "b"])'],
  ["field", "n: z.string().email()"],
  ["field", "n: Joi.string()"],
  ["field", "n: int32 = 5"],
  ["field", "n: bool = true"],
  ["field", "n: int32 default 5"],
  ["field", "n: int32 @min(1) @max(9)"],
  ["field", "n: string (min: 1, max: 9)"],
  ["field", "n: int32 {min: 1}"],
  ["field", "@min(1) @max(9) n: int32"],
  ["field", "n: string @id"],
  ["field", "n: DateTime @default(now())"],
  ["field", '"n": string'],
  ["field", "n: Optional[str] = None"],
  ["field", "n: str = Field(..., max_length=10)"],
  ["field", "n: string (optional)"],
  ["field", "n: string, required"],
  ["field", "n: int32 := 5"],
  ["field", "n: int8 range 0..10"],
  ["field", "n: int32 (0..10)"],
  ["field", "n: /^[a-z]+$/"],
  ["field", "n: string /^[a-z]+$/"],
  ["field", "n: double precision"],
  ["field", "n: unsigned int"],
  ["field", "n: long long"],
  ["field", "n: timestamp with time zone"],
  ["field", "n: chrono::DateTime<Utc>"],
  ["field", "n: utcDateTime"],
  ["field", "n: plainDate"],
  ["field", "n: enum { X, Y }"],
  ["field", "n: string = 3"],
  ["field", "string n = 3;"],
  ["field", "repeated Order orders = 4;"],
  ["field", "optional n: int32"],
  ["field", "readonly n: string"],
  ["field", "n string"],
  ["field", "n: nullable string"],
  ["field", "n: string?"],
  ["field", "n: list of Order"],
  ["field", "n: google.protobuf.StringValue"],
  ["field", "n: java.util.UUID"],
  ["field", "n: interface{}"],
  ["field", "n: Page<Order>"],
  ["field", "n: int(11)"],
  ["field", "n: bigint unsigned"],
  ["field", "n: timestamp(3)"],
  ["field", "n: date"],
  ["field", "...Order"],
  ["field", "Order"],
  ["argument", "id: uuid"],
  ["argument", "id: uint64 | null"],
  ["argument", "id: Optional<int64>"],
  ["argument", "id int64"],
  ["argument", "int64 id"],
  ["argument", "limit: int32 = 20"],
  ["argument", "limit?: int32 (max: 100)"],
  ["argument", 's: "a" | "b"'],
  ["argument", "pet: Cat | Dog"],
  ["argument", "patch: Partial<Order>"],
  ["argument", "opts: { limit: int32 }"],
  ["argument", "ids: string[]"],
  ["argument", "...ids: string[]"],
  ["argument", "id: varchar(20)"],
  ["argument", "p: [float64, float64]"],
  ["argument", "req: *Order"],
  ["argument", "day: date"],
  ["response", "=> Order | null"],
  ["response", "=> Order?"],
  ["response", "=> void"],
  ["response", "=> Promise<Order>"],
  ["response", ": Promise<Order[]>"],
  ["response", "-> Option<Order>"],
  ["response", "-> Result<Order, NotFound>"],
  ["response", "-> Result<Vec<Order>, Gone>"],
  ["response", "=> (order: Order | NotFound)"],
  ["response", "=> Order | NotFound"],
  ["response", "=> Order errors NotFound"],
  ["response", "=> []Order errors NotFound, Gone"],
  ["response", "=> stream Order"],
  ["response", "=> Stream<Order>"],
  ["response", "=> AsyncIterable<Order>"],
  ["response", "returns (stream Order)"],
  ["response", "=> map<string, Order>"],
  ["response", "=> Map<string, Order>"],
  ["response", "=> (Order, error)"],
  ["response", "(Order, error)"],
  ["response", "=> [Order]"],
  ["response", "=> { order: Order }"],
  ["response", "=> (Order[])"],
  ["response", "=> ([]Order)"],
  ["response", "=> (string | null)"],
  ["response", "=> Cat | Dog"],
  ["response", "=> Page<Order>"],
  ["response", "=> Promise<void>"],
  ["response", "=> Unit"],
  ["response", "=> 204"],
  ["response", "=> uuid"],
  ["response", "=> (id: uuid)"],
  ["response", "=> (order: Order) errors (NotFound, Gone)"],
  ["response", "=> (order: Order) errors [NotFound]"],
  ["response", "=> (order: Order) errors: NotFound"],
  ["response", "=> (order: Order) throws NotFound"],
  ["response", "=> (order: Order) errors NotFound or Gone"],
  ["response", "=> (order: Order) !NotFound"],
  ["alias", "type P = Cat | Dog"],
  ["alias", "type P = string"],
  ["alias", "type P: Cat | Dog"],
  ["alias", "union P = Cat | Dog"],
  ["alias", "type P: oneOf<Cat, Dog>"],
  ["alias", 'type P = "a" | "b"'],
  ["alias", "type P = string | null"],
  ["alias", "type P = Order[]"],
  ["alias", "type P: decimal(10,2)"],
  ["alias", "type P: uuid"],
  ["alias", "type P = Partial<Order>"],
  ["alias", "type P = Order & Cat"],
  ["alias", "typedef P string"],
  ["alias", "enum P { A, B }"],
  ["alias", 'enum P = "a" | "b"'],
  ["value", "Open = 'open'"],
  ["value", 'Open("open")'],
  ["value", '"open"'],
  ["value", 'Open: "open"'],
  ["value", "Open -> open"],
  ["alias", "struct P extends Order"],
  ["alias", "struct P : Order"],
  ["alias", "struct P(Order)"],
  ["alias", "struct P\n  ...Order"],
  ["alias", "struct P\n  include Order"],
  ["alias", 'error Lost 404 "it is lost"'],
  ["alias", "error Lost"],
  ["alias", "error Lost = 404"],
  ["alias", 'error Lost(404, "it is lost")'],
  ["alias", "error 404 Lost"],
  ["alias", 'exception Lost "it is lost" 404'],
  ["alias", "error 9 Lost 'it is lost' status 404"],
  ["alias", 'error 9 Lost "it is lost" (404)'],
  ["alias", "error Lost extends Error"],
  ["alias", 'error 9: Lost "it is lost"'],
  ["field", 'n: Omit<Order, "note">'],
  ["field", "n: readonly string[]"],
  ["field", "n: Optional[datetime.datetime]"],
  ["field", "n: chrono.DateTime"],
  ["field", "tags: Set[uuid.UUID]"],
  ["argument", "page: int32 @default(1)"],
  ["argument", "optional id: int64"],
  ["argument", "ids: [UUID!]!"],
  ["argument", "filter: Record<string, string>"],
  ["argument", 'kind: "a" | "b" = "a"'],
  ["response", "=> IAsyncEnumerable<Order>"],
  ["response", ": Task<Order?>"],
  ["response", "-> Flow<Order>"],
  ["response", "=> Either<NotFound, Order>"],
  ["response", "returns (Order | null)"],
  ["response", "=> (orders: Order[], total: int32)"],
  ["response", "-> tuple[Order, int32]"],
  ["alias", "type P = Record<string, int32>"],
  ["alias", "type P = [float64, float64]"],
  ["alias", "type P = string[] | null"],
];

test.each(rows)("the advice for a type in another language is valid: %s, %s", (place, text) => {
  const mended = mend(place, text);
  expect(lint(places[place](text))).not.toEqual([]);
  expect(mended).not.toBe("");
  expect(lint(mended).map(({ message }) => message)).toEqual([]);
});

test("the advice keeps the meaning", async () => {
  const pairs = rows.map(
    ([place, text]) => `${place}: ${text}\n\n${mend(place, text).replace(/^(?=.)/gm, "    ")}`,
  );
  await expect(pairs.join("\n")).toMatchFileSnapshot("golden/foreign-types.txt");
});

test.each<[text: string, advice: string]>([
  ["service X\n  - async Get() => (ok: bool)", 'Remove "async": a method starts with its name.'],
  ["service X\n  - GET /a/{id} Get(id: string)", 'Write the route below the method, as "GET /a/{id}".'],
  ['service X\n  - @post("/a") Get(id: string)', 'Write the route below the method, as "POST /a".'],
  ["service X\n  - Get({ id: string })", 'Write "(id: string)".'],
  ["service X\n  - Get({})", 'Write "()".'],
  ["service X\n  - Get() => (e: NotFound)", 'Errors follow the response: "errors NotFound".'],
  ["op Get(): Order", "A method belongs below a service"],
  ["input P { id: ID!, n: Int }", 'and below it a line for each field: "- id: string", "- n: int".'],
  ["table P\n  - id: string", 'Write "struct".'],
  ["enum P {\n}", 'Write "enum P: string", and below it a line "- VALUE" for each value.'],
  ["package shop", 'Remove the line: "name = shop"'],
  ["-- a comment", 'A comment starts with "#".'],
  ['import { A } from "a.ridl"', 'Write "import a.ridl".'],
  ["struct P\n  - a: string\n    + unique", 'Write "+ unique = true"'],
  ['service X\n  @deprecated("use Y")\n  - Get()', "Write '@deprecated:\"use Y\"'."],
  ["service X\n  @auth(user)\n  - Get()", "Write '@auth:user'."],
  ["service X\n  - Get(id: string)\n    GET /a/:id", 'Write "GET /a/{id}".'],
  ["service X\n  - Get(id: string)\n    GET /a/<int:id>/b", 'Write "GET /a/{id}/b".'],
  ['enum P: string\n  - "in progress"', "Write '- in_progress = \"in progress\"'."],
  // Reading this took exponential time.
  [`enum P: string\n  - "${"a-".repeat(100)}a."`, ""],
  ['error 9 Lost(id: string) "lost"', 'with "+ errorData = Lost" below it'],
])("%j gets advice: %s", (text, advice) => {
  expect(lint(`${text}\n`).map((found) => `${found.advice}`)).toContainEqual(expect.stringContaining(advice));
});
