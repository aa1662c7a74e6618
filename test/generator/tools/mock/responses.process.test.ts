/** Values, errors and delays of responses. */
import { describe, expect, test } from "vitest";
import { liveContract, serve } from "./pets.ts";

describe("responses", () => {
  test("have examples of the schema, keep to its rules, and are the same for the same request and seed", async () => {
    await using mock = await serve();
    const { pet } = (await mock.call("Get", { id: 1 })).body as {
      pet: { name: string; chip: string; owner?: string };
    };
    expect(["Minka", "Rex"]).toContain(pet.name);
    expect(pet.chip).toMatch(/^[0-9A-F]{8}$/);
    const guess = async (name: string, seed?: string): Promise<string> =>
      (await mock.call("Watch", { name }, seed === undefined ? {} : { "Mock-Seed": seed })).text;
    expect(await guess("a")).toBe(await guess("a"));
    expect(await guess("a")).not.toBe(await guess("b"));
    expect(await guess("a", "7")).not.toBe(await guess("a"));
    expect(mock.calls.every(({ cause }) => cause === undefined)).toBe(true);
  });

  test("are streams with as many items as are asked for, and files", async () => {
    await using mock = await serve();
    const lines = (text: string): number => text.split("\n").filter((line) => line !== "").length;
    expect(lines((await mock.call("Watch", { name: "a" })).text)).toBe(3);
    expect(lines((await mock.call("Watch", { name: "a" }, { "Mock-Items": "7" })).text)).toBe(7);
    const file = await mock.call("Picture", { name: "a" });
    expect([file.status, file.text]).toEqual([200, "A file of Pets.Picture\n"]);
  });

  test.each(["(code: Code)", "stream (code: Code)"])(
    "%s that have no valid value say what to do",
    async (response) => {
      const schema = `webrpc = v1
name = codes
version = v1
basepath = /rpc

type Code: string
  + pattern = "^(?=b)a$"

service Pets
  - Get() => ${response}
`;
      await using mock = await serve({}, await liveContract(schema, "number"));
      await mock.call("Get", {});
      expect(mock.calls[0]?.cause).toMatch(
        /^\/code: expected text .*[.] Write one below the field or its type: [+] example = …$/,
      );
    },
  );

  test("are refusals of the generated validators", async () => {
    await using mock = await serve();
    const { status, body } = await mock.call("Add", { pet: { name: "", kind: "CAT" } });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: "WebrpcBadRequest", cause: expect.stringContaining("name") }),
    ]);
    expect(await mock.call("Nothing", {})).toMatchObject({ status: 404, body: { error: "WebrpcBadRoute" } });
  });
});

describe("errors and delays", () => {
  test("come on demand, of the schema and of the protocol", async () => {
    await using mock = await serve();
    const asked = (name: string) => mock.call("Guess", { name: "a" }, { "Mock-Error": name });
    expect(await asked("PetGone")).toMatchObject({ status: 404, body: { error: "PetGone", code: 1 } });
    expect(await asked("3")).toMatchObject({ status: 409, body: { error: "Taken" } });
    expect(await asked("WebrpcInternalError")).toMatchObject({ status: 500, body: { code: -7 } });
  });

  test("with an unknown name are rejected with the known ones", async () => {
    await using mock = await serve();
    const { status, body } = await mock.call("Guess", { name: "a" }, { "Mock-Error": "PetGon" });
    expect(status).toBe(400);
    expect((body as { cause: string }).cause).toMatch(
      /"PetGon", which is not an error of the method; did you mean PetGone\? Its errors: .*PetGone, Unauthorized, Taken/,
    );
    for (const [name, value] of [
      ["Mock-Delay", "soon"],
      ["Mock-Delay", "2h"],
      ["Mock-Seed", "x"],
      ["Mock-Items", "-1"],
    ] as const)
      expect(await mock.call("Guess", { name: "a" }, { [name]: value })).toMatchObject({
        status: 400,
        body: { cause: expect.stringContaining(name) },
      });
  });

  test("have data of the seed", async () => {
    const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 Full "no room" HTTP 409
struct Room
  - left: uint32
type FullData: Room
  + errorData = Full
service Pets
  @noErrors - Rest() => ()
  - Add() => () errors Full
`;
    await using mock = await serve({}, await liveContract(text, "number"));
    const left = async (headers: Record<string, string>) => {
      const { body } = await mock.call("Add", {}, { "Mock-Error": "Full", ...headers });
      return (body as { data: { left: number } }).data.left;
    };
    const all = [await left({}), await left({ "Mock-Seed": "2" }), await left({ "Mock-Seed": "3" })];
    expect(new Set(all).size).toBe(3);
    expect(await left({ "Mock-Seed": "1" })).toBe(all[0]);
  });

  test("are those that the method can have", async () => {
    const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 BadCredentials "wrong password" HTTP 401
error 2 Banned "the account is banned" HTTP 403
error 3 Unauthorized "log in first" HTTP 401
error 4 Hidden "only for owners" HTTP 403
service Pets
  @public - Login(password: string) => () errors BadCredentials
  @auth @noErrors - Me() => ()
  @auth - Enter() => () errors Banned
  @auth - Own() => () errors Hidden
  @auth - Any() => ()
`;
    const withUnlisted = await liveContract(text, "number");
    const noUnlisted = await liveContract(text.replace(/error 3.*\n/, ""), "number");
    const errorsOf = async (contract: typeof withUnlisted) => {
      await using mock = await serve({ wantsCredentials: true }, contract);
      const names = ["Me", "Enter", "Own", "Any"].map(async (method) => {
        const { body } = await mock.call(method, {}, { "x-key": "" });
        return (body as { error?: string }).error;
      });
      return await Promise.all(names);
    };
    expect(await errorsOf(withUnlisted)).toEqual([
      "Unauthorized",
      "Unauthorized",
      "Unauthorized",
      "BadCredentials",
    ]);
    expect(await errorsOf(noUnlisted)).toEqual(["WebrpcRequestFailed", "Banned", "Hidden", "BadCredentials"]);
    await using mock = await serve({}, withUnlisted);
    expect(await mock.call("Me", {}, { "Mock-Error": "Unauthorized" })).toMatchObject({ status: 401 });
    expect(await mock.call("Me", {}, { "Mock-Error": "Banned" })).toMatchObject({ status: 400 });
  });

  test("come at a rate, the same for the same seed", async () => {
    const statuses = async (): Promise<number[]> => {
      await using mock = await serve({ errorRate: 0.5, seed: 3 });
      const all: number[] = [];
      for (let count = 0; count < 30; count++) all.push((await mock.call("Guess", { name: "a" })).status);
      return all;
    };
    const first = await statuses();
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(3);
    expect(first.filter((status) => status !== 200).length).toBeGreaterThan(3);
    expect(await statuses()).toEqual(first);
  });

  test("hold an answer back for as long as is asked", async () => {
    await using mock = await serve();
    const before = performance.now();
    await mock.call("Guess", { name: "a" }, { "Mock-Delay": "120ms" });
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });
});
