import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Finding, Send } from "../../../../generator/verify/contract-test/call.ts";
import { Suite } from "../../../../generator/verify/contract-test/suite.ts";
import { type LiveContract, loadLive } from "../../../../generator/verify/live/load.ts";
import { ResponseValidator } from "../../../../generator/verify/replay/response-validator.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { bugs, rightShelf, type Shelf } from "./shelf.ts";
import { shelf as schema } from "./shelf-schema.ts";

let live: LiveContract;
let responses: ResponseValidator;

beforeAll(async () => {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error("the contract has a fault");
  live = await loadLive(result, process.cwd());
  responses = await ResponseValidator.of(live.jsonSchema, { checksFormats: true });
});

/** The generated server over a shelf. A validation bug sits behind it, and accepts requests that the server rejected. */
function sendTo(shelf: Shelf): Send {
  const handlers = {
    Shelf: {
      AddBook: shelf.add,
      GetBook: shelf.get,
      ListBooks: shelf.list,
      RenameBook: shelf.rename,
      DropBook: shelf.drop,
    },
  };
  const guard = (call: {
    method: { name: string };
    header(name: string): string | undefined;
    errors: Record<string, () => Error>;
  }) => {
    if (!shelf.open.has(call.method.name) && call.header("authorization") !== "BEARER t")
      throw call.errors["Unauthorized"]?.();
  };
  const fetch = live.fetchHandler(live.createServer(handlers, { guards: [guard] }));
  return async ({ path, body, withoutCredentials }) => {
    const headers = {
      "content-type": "application/json",
      ...(withoutCredentials ? {} : { authorization: "BEARER t" }),
    };
    const response = await fetch(
      new Request(`http://shelf${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    const text = await response.text();
    const isLenient = !shelf.validates && response.status === 400 && path.endsWith("ListBooks");
    if (isLenient) return { status: 200, text: '{"books":[],"more":false}', contentType: "application/json" };
    return { status: response.status, text, contentType: response.headers.get("content-type") ?? "" };
  };
}

function findingsOf(shelf: Shelf): Promise<readonly Finding[]> {
  const options = { seed: 1, count: 20, readOnly: false, isTimeUp: () => false };
  return new Suite({ plan: live.plan, responses, send: sendTo(shelf) }, options).run();
}

test("a correct server has no findings", async () => {
  expect(await findingsOf(rightShelf())).toEqual([]);
});

describe("each planted bug is found with at most three calls", () => {
  test("there are at least thirty bugs", () => expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(30));

  test.each(Object.entries(bugs))("%s", async (name, plant) => {
    const shelf = rightShelf();
    plant(shelf);
    const found = await findingsOf(shelf);
    // The contract does not say that omitted fields stay omitted.
    if (name === "no weight becomes zero") expect(found).toEqual([]);
    else expect(found.length).toBeGreaterThan(0);
    for (const { calls } of found) expect(calls.length).toBeLessThanOrEqual(3);
  });
});
