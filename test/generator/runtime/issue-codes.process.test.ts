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
  - big?: uint64
  - tags?: []string
    + maxItems = 1
  - notes?: map<string,string>
    + minItems = 1
  - secret?: string
    + secret = true
    + maxLength = 1
service S
  - Put(guest: Guest, more: []Guest)
`;

let live: LoadedContract;

beforeAll(async () => {
  live = await loadInMemory({ ...contractOf(schema), int64: "bigint" }, process.cwd());
});

async function issueOf(guest: object): Promise<Readonly<Record<string, unknown>> | undefined> {
  const server = live.createServer({ S: { Put: () => ({}) } });
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
  [{ big: -1 }, "minimum", { minimum: 0 }],
  [{ tags: ["a", "b"] }, "maxItems", { maxItems: 1 }],
  [{ notes: {} }, "minItems", { minItems: 1 }],
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
