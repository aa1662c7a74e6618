import { expect, test } from "vitest";
import { exampleCalls, exampleRequests } from "../../../../generator/tools/mock/examples.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

type Isbn: string
  + pattern = "^[0-9]{13}$"

struct Book
  - isbn: Isbn
  - note?: string
  - parent?: Book

service Books
  - Find(isbn: Isbn, note?: string) => (book: Book)
  - Cover(isbn: Isbn) => (file)
  - Watch() => stream (isbn: Isbn)
  - Upload(cover: file)
`;

test("examples of responses have no secrets that the schema does not give as examples", () => {
  const secrets = `${schema}  - SignIn(password: Password) => (token: Token, inner: Keys)

type Password: string
  + secret = true

type Token: string
  + secret = true
  + example = token-1

struct Keys
  - password: Password
  - all: []Password
  - byName: map<string,Password>
  - token: Token
  - pin: int32
    + secret = true
`;
  const { request, response } = exampleCalls(planOf({ "m.ridl": secrets }, "m.ridl"))["Books/SignIn"] ?? {};
  expect(request).toEqual({ password: expect.not.stringContaining("[redacted]") });
  const hidden = "[redacted]";
  const inner = { password: hidden, all: [hidden], byName: { first: hidden }, token: "token-1", pin: hidden };
  expect(response).toEqual({ token: "token-1", inner: { ...inner, byName: expect.any(Object) } });
  expect(JSON.stringify(response).match(/\[redacted\]/g)).toHaveLength(4);
});

test("each method has an example call, whose response repeats the request", () => {
  const plan = planOf({ "m.ridl": schema }, "m.ridl");
  const isbn = expect.stringMatching(/^[0-9]{13}$/);
  const calls = exampleCalls(plan);
  expect(calls).toEqual({
    "Books/Find": {
      request: { isbn, note: expect.any(String) },
      response: { book: { isbn, note: expect.any(String) } },
    },
    "Books/Cover": { request: { isbn }, response: null },
    "Books/Watch": { request: {}, response: { isbn } },
    "Books/Upload": { request: {}, response: {} },
  });
  const requests = exampleRequests(plan);
  expect(requests["Books/Find"]).toEqual({ isbn });
  expect(calls["Books/Find"]?.response).toMatchObject({ book: requests["Books/Find"] });
});
