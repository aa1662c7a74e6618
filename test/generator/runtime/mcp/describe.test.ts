/** How methods and types are described to agents. */
import { expect, test } from "vitest";
import { apiOf, json, toolsOf } from "./api.ts";

const api = apiOf(`
error 1 NotFound "no such pet" HTTP 404
error 2 Gone "gone" HTTP 410

# What a pet is.
# It has two lines.
enum Kind: uint8
  - cat
    + json = CAT
  # Barks.
  - dog

type Name: string
  + minLength = 1
  + pattern = "^[a-z]+$"
  + normalize = lowercase

type Names: []Name
  + maxItems = 3

struct Pet
  - name: Name
    + maxLength = 9
  # Its kind.
  - kind: Kind
  - age?: uint8
    + minimum = 1
    + maximum = 90
    + example = 7
  - names: Names
  - photo: []byte
    + maxItems = 100
  - byKind: map<Kind,[]Pet>
  - other: map<string,any>
  - seen: timestamp
  - weight: bigint
  - size: int64
  - ratio: float64
  - isGood: bool
    + json = good
  - mail: string
    + format = email
    + pii = true
  - nick?: string
    + nullable = always
  - old?: string
    + deprecated = "use name"
  - gone?: string
    + deprecated = true

service Pets
  # Finds pets.
  # Slowly.
  @deprecated:"use Search"
  - Find(kind?: Kind, limit: uint32, secretWord: string) => (pets: []Pet) errors NotFound
  - Watch() => stream (pet: Pet)
  - Any(file: file, more: []file, note?: string) => (file)
  @noErrors @idempotent
  - Safe() => (ok: bool)
`);
const { search } = toolsOf(api, () => json("{}"));

test("a method, its limits and all types that it uses", async () => {
  await expect(`${await search("Pets.Find")}\n`).toMatchFileSnapshot("described/find.txt");
});

test("streams, files and errors", async () => {
  const all = [await search("Pets.Watch"), await search("Pets.Any"), await search("Pets.Safe")];
  const heads = all.map((text) => text.split("\n\n")[0]);
  await expect(`${heads.join("\n\n")}\n`).toMatchFileSnapshot("described/heads.txt");
});

test("unions, derived structs and data of errors", async () => {
  const bank = apiOf(`
error 1 Declined "declined" HTTP 402

type DeclinedData: Limit
  + errorData = Declined

type AccountId: string
  + brand = true
  + message = "Please choose an account."

enum Way: string
  - card
  - bank
  - cash

struct Limit
  - max: uint32

struct Payment
  - id: AccountId
  - way: Way
  - number?: string
    + when = way.card
  - holder?: string
    + when = way.card?
    + when = way.bank
  - note?: string
    + nullable = always

struct Due
  - day?: string
    + oneOf = due
    + format = date
  - inDays?: uint32
    + oneOf = due

type NewPayment: Payment
  + omit = id

type LimitPatch: Limit
  + partial = true

service Bank
  - Pay(payment: NewPayment, due: Due, patch: LimitPatch) => (payment: Payment) errors Declined
`);
  const text = await toolsOf(bank, () => json("{}")).search("Bank.Pay");
  await expect(`${text}\n`).toMatchFileSnapshot("described/pay.txt");
});

test("lines of a search", async () => {
  const lines = await search("find any safe watch pets");
  expect(lines.match(/^Pets\..*/gm)?.sort()).toEqual([
    "Pets.Any(note?, file, more) [changes data, file]",
    "Pets.Find(kind?, limit, secretWord) [changes data, deprecated] Finds pets.",
    "Pets.Safe() [changes data, safe to repeat]",
    "Pets.Watch() [changes data, stream]",
  ]);
});

test.each([
  [1_200, true],
  [1_201, false],
])("types of %i characters of a response are shown: %s", async (length, isShown) => {
  const docs =
    length - "interface GetResponse {\n  part: Part;\n}// \ninterface Part {\n  a: string;\n}".length;
  const declarations = `# ${"x".repeat(docs)}\nstruct Part\n  - a: string\nservice S\n  - Get() => (part: Part)\n`;
  const text = await toolsOf(apiOf(declarations), () => json("{}")).search("S.Get");
  const notShown = "Types not shown, search for their names: Part";
  expect([text.includes("interface Part"), text.includes(notShown)]).toEqual([isShown, !isShown]);
});

test("a large description lists the names of the types that it leaves out", async () => {
  const fields = Array.from(
    { length: 40 },
    (_, index) => `  # ${"x".repeat(60)}\n  - field${index}: string\n`,
  ).join("");
  const structs = Array.from({ length: 9 }, (_, index) => `struct Part${index}\n${fields}\n`).join("");
  const parts = Array.from({ length: 9 }, (_, index) => `part${index}: Part${index}`).join(", ");
  const large = toolsOf(apiOf(`${structs}\nservice Large\n  - Get() => (${parts})\n`), () => json("{}"));
  const text = await large.search("Large.Get");
  expect(text.length).toBeLessThan(14_000);
  expect(text.split("\n").at(-1)).toBe(
    "Types not shown, search for their names: Part0, Part1, Part2, Part3, Part4, Part5, Part6, Part7, Part8",
  );
  expect(await large.search("Part8")).toContain("field39: string");
});

test.each([
  [19, "E19 (400: e)"],
  [20, "E20 (400: e)"],
  [21, "E20 (400: e) and 1 more"],
])("of %i errors that a method may return, the list ends with %s", async (count, end) => {
  const errors = Array.from({ length: count }, (_, index) => `error ${index + 1} E${index + 1} "e" HTTP 400`);
  const { search } = toolsOf(apiOf(`${errors.join("\n")}\nservice S\n  @mcp\n  - M() => (ok: bool)\n`), () =>
    json("{}"),
  );
  expect(await search("S.M")).toMatch(new RegExp(`${end.replaceAll(/[()]/g, "[$&]")}$`, "m"));
});
