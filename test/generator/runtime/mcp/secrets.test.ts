/** No secret of any response reaches an agent: 10,000 random responses with a canary in each secret place. */
import { expect, test } from "vitest";
import { declaredType, shapeOf } from "../../../../generator/runtime/src/mcp-api.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { apiOf, json, toolsOf } from "./api.ts";

/** Fields and types whose names start with "secret" or "Secret" are secret, and no others. */
const api = apiOf(`
error 1 Refused "refused" HTTP 400

type SecretText: string
  + secret = true
  + example = "canary"
type SecretList: []string
  + secret = true
type Chain: SecretText
enum Kind: string
  - a
  - b
type SecretKind: Kind
  + secret = true

struct Leaf
  - id: int64
  - name: string
  - kind: Kind
  - secretKey: string
    + secret = true
    + twin = secretTwin
  - secretAlias: SecretText
  - secretChain?: Chain
  - secretNumber: int64
    + secret = true

struct SecretPart
  - deep: string

struct Tree
  - leaf: Leaf
  - trees: []Tree
  - byName: map<string,Leaf>
  - lists: [][]Leaf
  - secretList: SecretList
  - secretItems: []SecretText
  - secretValues: map<string,SecretText>
  - secretKeys: map<SecretKind,string>
  - secretStruct: SecretPart
    + secret = true
  - secretAny?: any
    + secret = true
  - secretBytes: []byte
    + secret = true
  - note?: string

service Trees
  @readonly
  - Get(id: string) => (tree: Tree, leaves: []Leaf)
  - Watch() => stream (tree: Tree)
  - Sign(secretPassword: SecretText) => (ok: bool)
`);

/** A text and a number that occur nowhere else. */
const canary = "canary-8c1f";
const canaryNumber = 727_272_727_272;
const leak = /canary|727272727272/;

function randomValue(type: string, random: Random, level: number): unknown {
  // A value of another type, which a server of another version could send.
  if (random.chance(3)) return random.pick<unknown>([[canary], { other: canary }, [[{ other: canary }]]]);
  const shape = shapeOf(type);
  const few = level > 2 ? 0 : random.below(3);
  if (shape.kind === "list")
    return Array.from({ length: few }, () => randomValue(shape.item, random, level + 1));
  if (shape.kind === "map")
    return Object.fromEntries(
      Array.from({ length: few }, (_, index) => [`key${index}`, randomValue(shape.value, random, level + 1)]),
    );
  const declared = declaredType(api, type);
  if (declared?.kind === "enum") return "a";
  if (declared?.kind === "alias") return randomValue(declared.type, random, level);
  if (declared?.kind === "struct") {
    const fields = declared.fields.flatMap(({ name, type: own, twins = [] }) =>
      [name, ...twins].map((key) => [
        key,
        key.startsWith("secret") ? secretOf(random) : randomValue(own, random, level + 1),
      ]),
    );
    // Fields that the contract does not know, and their order.
    return Object.fromEntries(random.shuffle([...fields, [`new${random.below(9)}`, canary]]));
  }
  return type.startsWith("int")
    ? random.below(1_000)
    : "x".repeat(random.below(random.chance(2) ? 6_000 : 20));
}

function secretOf(random: Random): unknown {
  return random.pick<unknown>([canary, canaryNumber, [canary], { [canary]: canary }, { deep: [canary] }]);
}

function responseOf(random: Random): Response {
  const value = {
    tree: randomValue("Tree", random, 0),
    leaves: randomValue("[]Leaf", random, 0),
    [canary]: canary,
  };
  switch (random.below(12)) {
    case 0:
      return json(
        JSON.stringify({ error: "Refused", code: 1, msg: "refused", cause: canary, more: canary }),
        400,
      );
    case 1:
      return new Response(`<p>${canary}</p>`, { status: random.pick([200, 302, 500, 502]) });
    case 2:
      return json(JSON.stringify({ message: canary }), 500);
    case 3:
      return json(JSON.stringify([canary]));
    case 4:
      throw new Error(canary);
    default:
      return json(JSON.stringify(value));
  }
}

test("10,000 random responses leak no secret, whatever the limits and the fields", async () => {
  const random = seededRandom(20_261_126);
  const selections = [
    [],
    [],
    ["tree"],
    ["tree.leaf", "leaves.id"],
    ["tree.byName.*.name"],
    ["tree.trees.leaf.name"],
  ];
  let leaks = 0;
  let cut = 0;
  let failed = 0;
  for (let index = 0; index < 10_000; index++) {
    const { call } = toolsOf(api, () => responseOf(random), { maxBytes: random.pick([1_000, 5_000]) });
    const result = JSON.stringify(await call("Trees.Get", { id: "1" }, random.pick(selections)));
    if (leak.test(result)) leaks++;
    if (result.includes("Cut to")) cut++;
    if (result.includes('"isError":true')) failed++;
  }
  expect(leaks).toBe(0);
  // The responses are as varied as intended.
  expect(cut).toBeGreaterThan(200);
  expect(failed).toBeGreaterThan(2_000);
}, 300_000);

test("1,000 random streams leak no secret", async () => {
  const random = seededRandom(7);
  for (let index = 0; index < 1_000; index++) {
    const lines = Array.from({ length: random.below(5) }, () =>
      JSON.stringify({ tree: randomValue("Tree", random, 2) }),
    );
    const error = { webrpcError: { error: "Refused", code: 1, msg: "refused", cause: canary, status: 400 } };
    const text = [...lines, ...(random.chance(30) ? [JSON.stringify(error)] : []), ""].join("\n");
    const { call } = toolsOf(api, () => new Response(text));
    expect(JSON.stringify(await call("Trees.Watch"))).not.toMatch(leak);
  }
});

test("the values of the response that are not secret arrive", async () => {
  const leaf = { id: 1, name: "n", kind: "a", secretKey: canary, secretTwin: canary };
  const tree = { leaf, trees: [{ leaf }], byName: { a: leaf }, lists: [[leaf]] };
  const { call } = toolsOf(api, () => json(JSON.stringify({ tree, leaves: [leaf] })));
  const shown = { id: 1, name: "n", kind: "a" };
  const { content } = await call("Trees.Get", { id: "1" });
  expect(content).toEqual([
    {
      type: "text",
      text: JSON.stringify({
        tree: { leaf: shown, trees: [{ leaf: shown }], byName: { a: shown }, lists: [[shown]] },
        leaves: [shown],
      }),
    },
  ]);
});

test("descriptions have no examples of secrets, and selections cannot name them", async () => {
  const { search, call } = toolsOf(api, () => json("{}"));
  for (const name of ["Trees.Get", "Trees.Sign", "Leaf", "Tree", "SecretText", "secret key"])
    expect(await search(name)).not.toMatch(leak);
  expect(await search("Trees.Sign")).toContain("secretPassword: SecretText; // secret");
  for (const field of [
    "tree.secretList",
    "tree.leaf.secretTwin",
    "leaves.secretKey",
    "tree.byName.x.secretKey",
  ])
    expect(await call("Trees.Get", { id: "1" }, [field])).toMatchObject({
      isError: true,
      structuredContent: { error: { name: "UnknownField" } },
    });
});
