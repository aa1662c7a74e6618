/** Follows the advice for types of other languages in YAML literally: the result must be valid. The readings are those of RIDL. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

/** What surrounds the entry of a field, an argument or an alias. */
const places = {
  field: (entry: string) => `  S:\n    fields:\n      ${entry}\n`,
  argument: (entry: string) =>
    `services:\n  X:\n    methods:\n      Get:\n        input:\n          ${entry}\n        output: { ok: bool }\n`,
  alias: (entry: string) => `  ${entry}\n`,
} as const;

type Place = keyof typeof places;

const head =
  "webrpc: v1\nname: a\nversion: v1\nbasepath: /\n\ntypes:\n  Order: { fields: { id: uint64, note: string } }\n  Cat: { fields: { name: string } }\n  Dog: { fields: { name: string } }\n";

function lint(text: string): readonly Diagnostic[] {
  return compile("a.yaml", memoryReader({ "a.yaml": head + text }), { strict: true }).diagnostics;
}

/** Writes what an advice says, and the declarations that it needs. */
function follow(place: Place, written: string, { advice = "", message }: Diagnostic): string {
  const quoted = [...advice.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
  const end = quoted.indexOf("types:");
  const declared = quoted.slice(0, Math.max(0, end)).map((entry) => `  ${entry}\n`);
  const [entry = ""] = quoted.slice(end + 1);
  if (entry === "") return declared.join("");
  if (!entry.includes(": ")) {
    const unknown = /no type "(.*)"/.exec(message)?.[1] ?? "";
    return declared.join("") + places[place](written.replace(unknown, entry));
  }
  return declared.join("") + places[place](entry);
}

const rows: readonly (readonly [place: Place, written: string, entry: string])[] = [
  ["field", "a: uuid", "a: { type: string, format: uuid }"],
  ["field", "a: date", "a: { type: string, format: date }"],
  ["field", "tags: email[]", "tags: Email[]"],
  ["field", "m: map<string,decimal>", "m: map<string,Decimal>"],
  ["field", "price: decimal(10,2)", "price: { type: string, format: decimal }"],
  ["field", "name: VARCHAR(64) NOT NULL", "name: { type: string, maxLength: 64 }"],
  ["field", "n: Option<Vec<u8>>", "n?: uint8[]"],
  ["field", "n: Array<map<string, Order[]>>", "n: map<string,Order[]>[]"],
  ["field", "n: Dict[str, int32]", "n: map<string,int32>"],
  ["field", "n: repeated string", "n: string[]"],
  ["field", "n: string?", "n?: string"],
  ["field", "n: string | null", "n?: string"],
  ["field", "n: Cat | Dog", "n: N"],
  ["field", "n: list<Cat> | Dog", "n: N"],
  ["field", "n: open | closed", "n: N"],
  ["field", `n: "'open' | 'in progress'"`, "n: N"],
  ["field", "n: /^[a-z]+$/", "n: { type: string, pattern: '^[a-z]+$' }"],
  ["field", "n: /^a{1,3}$/", "n: { type: string, pattern: '^a{1,3}$' }"],
  ["field", "n: enum(open, closed)", "n: N"],
  ["field", "n: Partial<Order>", "n: OrderPatch"],
  ["field", "n: Page<Order>", "n: OrderPage"],
  ["field", 'n: "[3]int32"', "n: { type: 'int32[]', minItems: 3, maxItems: 3 }"],
  ["field", "n: z.string().min(3)", "n: { type: string, minLength: 3 }"],
  ["field", "n: int32 = 5", "n?: { type: int32, default: 5 }"],
  ["field", "n: Promise<Order>", "n: Order"],
  ["field", "n: (float64, string)", "n: N"],
  ["field", "n: bytes", "n: byte[]"],
  ["argument", "id: uuid", "id: Uuid"],
  ["argument", "ids: uuid[]", "ids: Uuid[]"],
  ["argument", "limit: int32 = 20", "limit?: Limit"],
  ["argument", "id: string | null", "id?: string"],
  ["alias", "Pet: Cat | Dog", "Pet:"],
  ["alias", "Price: decimal(10,2)", "Price: { type: string, format: decimal }"],
  ["alias", "Names: Set<string>", "Names: string[]"],
];

test.each(rows)("the advice for the %s %s is valid, with %s", (place, written, entry) => {
  const [found] = lint(places[place](written));
  const text = follow(place, written, found as Diagnostic);
  expect(text).toContain(entry);
  expect({ text, found: lint(text).map(({ message }) => message) }).toEqual({ text, found: [] });
});
