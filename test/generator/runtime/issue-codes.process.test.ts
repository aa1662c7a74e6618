/** Codes and texts of issues, from the rules of a schema. */
import { beforeAll, expect, test } from "vitest";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { contractOf, transportTo } from "../../support/versions.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Size: string
  - small
  - large

type Email: string
  + format = email
  + message = "not an email address"

enum Level: uint8
  - low
  - high

type Age: uint8
  + message = "Please tell us your age."

struct Pay
  - card?: string
    + oneOf = by
  - iban?: string
    + oneOf = by
    + message = "Digits only, please."

struct Plan
  - level: Level
  - seats?: uint8
    + when = level.high
    + message = "Choose your seats."

struct Guest
  - name: string
    + minLength = 2
    + maxLength = 4
    + message = "Please tell us your name."
  - email?: Email
  - code?: string
    + pattern = "^[a-z]+$"
  - age?: uint8
    + minimum = 18
  - at?: timestamp
  - size?: Size
  - level?: Level
  - pay?: Pay
  - plan?: Plan
  - big?: uint64
  - wei?: bigint
    + maximum = 9007199254740993
  - count?: int8
    + accepts = string
  - tags?: []string
    + maxItems = 1
  - notes?: map<string,string>
    + minItems = 1
  - sizes?: map<Size,bool>
  - secret?: string
    + secret = true
    + maxLength = 1
service S
  - Put(guest: Guest, more: []Guest)
  - Get(port: uint16, size: int64, age: Age)
    GET /ports/{port}
`;

let live: LoadedContract;

beforeAll(async () => {
  live = await loadInMemory({ ...contractOf(schema), int64: "bigint" });
});

async function issueOf(guest: object): Promise<Readonly<Record<string, unknown>> | undefined> {
  const server = live.createServer({ S: { Put: () => ({}), Get: () => ({}) } });
  const response = await transportTo(live, server)("http://t.test/rpc/S/Put", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ guest: { name: "Ann", ...guest }, more: [] }),
  });
  const { issues = [] } = (await response.json()) as { issues?: Readonly<Record<string, unknown>>[] };
  expect(issues.length).toBeLessThanOrEqual(1);
  return issues[0];
}

test.each([
  [{ name: undefined }, "required", undefined],
  [{ name: null }, "type", undefined],
  [{ name: "A" }, "minLength", { minLength: 2 }],
  [{ name: "Anna-Maria" }, "maxLength", { maxLength: 4 }],
  [{ email: "x" }, "format", undefined],
  [{ email: 1 }, "type", undefined],
  [{ code: "A" }, "pattern", undefined],
  [{ age: 17 }, "minimum", { minimum: 18 }],
  [{ age: 256 }, "maximum", { maximum: 255 }],
  [{ age: 20.5 }, "type", undefined],
  [{ at: "soon" }, "format", undefined],
  [{ size: "huge" }, "enum", undefined],
  [{ level: 7 }, "enum", undefined],
  [{ level: "none" }, "enum", undefined],
  [{ size: 7 }, "type", undefined],
  [{ pay: {} }, "oneOf", { fields: ["card", "iban"] }],
  [{ pay: { card: "1", iban: "2" } }, "oneOf", { fields: ["card", "iban"] }],
  [{ big: -1 }, "minimum", { minimum: 0 }],
  [{ count: "128" }, "maximum", { maximum: 127 }],
  [{ count: "many" }, "type", undefined],
  [{ age: "256" }, "type", undefined],
  [{ wei: "9007199254740994" }, "maximum", { maximum: "9007199254740993" }],
  [{ tags: ["a", "b"] }, "maxItems", { maxItems: 1 }],
  [{ notes: {} }, "minItems", { minItems: 1 }],
  [{ sizes: { huge: true } }, "enum", undefined],
  [{ secret: "ab" }, "maxLength", { maxLength: 1 }],
])("%j is %s", async (guest, code, params) => {
  const issue = await issueOf(guest);
  expect(issue).toMatchObject({ code, expected: expect.any(String), found: expect.any(String) });
  expect(issue?.["params"]).toEqual(params);
});

test("the message of a field or of its alias replaces that of each rule", async () => {
  expect(await issueOf({ name: "A" })).toMatchObject({
    message: "Please tell us your name.",
    path: ["guest", "name"],
    expected: "text of 2 to 4 characters",
  });
  expect(await issueOf({ name: undefined })).toMatchObject({ message: "Please tell us your name." });
  expect(await issueOf({ email: "x" })).toMatchObject({ message: "not an email address" });
  expect(await issueOf({ code: "A" })).toMatchObject({ message: expect.stringContaining("expected text") });
});

test("a map that breaks a limit is described by its number of entries", async () => {
  expect(await issueOf({ notes: {} })).toMatchObject({
    message: "expected an object of at least 1 entry, found an object",
  });
  expect(await issueOf({ notes: [] })).toMatchObject({ found: "a list of 0" });
});

test("what other fields require or exclude has a message of its own", async () => {
  const messageOf = async (guest: object): Promise<unknown> => (await issueOf(guest))?.["message"];
  expect(await messageOf({ pay: {} })).toBe("expected one of card, iban, found nothing");
  expect(await messageOf({ pay: { card: "1", iban: "2" } })).toBe(
    'expected nothing, because "card" is set, found text',
  );
  expect(await messageOf({ plan: { level: "high" } })).toBe(
    'expected a value, because "level" is "high", found nothing',
  );
  expect(await messageOf({ plan: { level: "low", seats: 2 } })).toBe(
    'expected nothing, because "level" is "low", found a number',
  );
  expect(await messageOf({ plan: { level: "high", seats: -1 } })).toBe("Choose your seats.");
});

test.each([
  ["/ports/70000?size=1&age=1", { path: ["port"], code: "maximum", params: { maximum: 65_535 } }],
  ["/ports/-1?size=1&age=1", { path: ["port"], code: "minimum", params: { minimum: 0 } }],
  ["/ports/x?size=1&age=1", { path: ["port"], code: "type" }],
  [
    "/ports/1?size=9223372036854775808&age=1",
    { code: "maximum", params: { maximum: "9223372036854775807" } },
  ],
  [
    "/ports/1?size=-99999999999999999999999&age=1",
    { code: "minimum", params: { minimum: "-9223372036854775808" } },
  ],
  [
    "/ports/1?size=1&age=256",
    { code: "maximum", params: { maximum: 255 }, message: "Please tell us your age." },
  ],
  ["/ports/1?size=1", { path: ["age"], code: "required", message: "Please tell us your age." }],
])("in the URL %s: %j", async (path, issue) => {
  const server = live.createServer({ S: { Put: () => ({}), Get: () => ({}) } });
  const response = await transportTo(live, server)(`http://t.test/rpc${path}`, { method: "GET" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ issues: [issue] });
});
