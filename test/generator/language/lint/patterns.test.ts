import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { growthOf, isPlainlyLinear } from "../../../../generator/language/lint/patterns.ts";
import { seededRandom } from "../../../support/random.ts";

/** Slow patterns from advisories and the literature, and typical causes of such patterns. */
const evil: readonly (readonly [pattern: string, growth: RegExp])[] = [
  ["^(a+)+$", /exponential/],
  ["^(a|a)*$", /exponential/],
  ["^(a|aa)+$", /exponential/],
  ["^(ab|a|b)*c$", /exponential/],
  ["^([a-zA-Z]+)*$", /exponential/],
  ["(x+x+)+y", /exponential/],
  ["^([a-z]+[.]?)+@", /exponential/],
  ["^(?:(?:[a-z]+)[,.;]?)*:$", /exponential/],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", /exponential/],
  ["^[ ]*([a-z]+[ ]*)*;$", /exponential/],
  ["([a-z0-9]+)+@x[.]com", /exponential/],
  ["^([0-9]+)*[.]$", /exponential/],
  ["^(.*a){12}$", /polynomial/],
  ["^a*a*b$", /2nd degree polynomial/],
  ["^[a-z]+[a-z0-9]+$", /2nd degree polynomial/],
  ["[ ]+$", /2nd degree polynomial/],
  ["^.*.*=.*$", /3rd degree polynomial/],
];

/** Typical patterns of schemas; `plain` ones are recognized without recheck. */
const good: readonly (readonly [pattern: string, how: "plain" | "checked"])[] = [
  ["^0x[0-9a-fA-F]{40}$", "plain"],
  ["^0x([0-9a-fA-F]{2})*$", "plain"],
  ["^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,16}|[a-zA-Z][a-zA-Z0-9_-]{0,63})$", "plain"],
  ["^(0|[1-9][0-9]{0,77})$", "plain"],
  ["^(0|[1-9][0-9]*)([.][0-9]+)?$", "plain"],
  ["^[a-z]+$", "plain"],
  ["^[^@]+@[^@]+$", "plain"],
  ["^[a-z0-9]+(-[a-z0-9]+)*$", "plain"],
  ["^(GET|POST|PUT)$", "plain"],
  ["^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "plain"],
  ["^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "plain"],
  ["^(https?|wss?)://[^ ]+$", "plain"],
  ["^.{1,64}$", "plain"],
  ["^v[0-9]+[.][0-9]+[.][0-9]+$", "plain"],
  ["^([a-zA-Z0-9_]|-)+$", "plain"],
  ["^([01]?[0-9]|2[0-3]):[0-5][0-9]$", "plain"],
  ["^[+]?[0-9 ()-]{5,20}$", "plain"],
  ["[0-9]+", "checked"],
  ["^([a-z]+,)*[a-z]+$", "checked"],
  ["^(?=.*[0-9])[a-z0-9]{8,64}$", "checked"],
  ["^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$", "plain"],
];

describe("slow patterns", () => {
  test.each(evil)("%s", async (pattern, growth) => {
    expect(isPlainlyLinear(pattern)).toBe(false);
    // The product's two seconds can run out on a busy machine.
    expect((await growthOf(pattern, 50_000))?.kind).toMatch(growth);
  });
});

describe("fast patterns", () => {
  test.each(good)("%s (%s)", async (pattern, how) => {
    expect(isPlainlyLinear(pattern)).toBe(how === "plain");
    expect(await growthOf(pattern)).toBeUndefined();
  });
});

test("an invalid pattern is left to another rule", async () => {
  expect(await growthOf("^(a$")).toBeUndefined();
  expect(await growthOf("[z-a]+(")).toBeUndefined();
});

test("no pattern of the platform needs recheck, which takes 200 ms to load", () => {
  const folder = fileURLToPath(new URL("../../../../schema/", import.meta.url));
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ridl"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const patterns = texts.flatMap((text) =>
    [...text.matchAll(/\+ pattern = "(.*)"/g)].map(([, found = ""]) => found),
  );
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => !isPlainlyLinear(pattern))).toEqual([]);
});

/** A group with this number of equal alternatives: `choices(2)` → `(a|a)`. */
const choices = (ways: number): string => `(${Array(ways).fill("a").join("|")})`;

test.each([
  ["10,000 ways from the start", `^${choices(10).repeat(4)}$`, true],
  ["10,001 ways from the start", `^(${choices(10).repeat(4)}|a)$`, false],
  ["100 ways from anywhere", `${choices(10).repeat(2)}`, true],
  ["101 ways from anywhere", `(${choices(10).repeat(2)}|a)`, false],
  ["300 characters written out", "^b+a{299}$", true],
  ["301 characters written out", "^b+a{300}$", false],
])("a pattern of %s", (_, pattern, isPlain) => {
  expect(isPlainlyLinear(pattern)).toBe(isPlain);
});

const seed = 20_271;

test(`recheck agrees about linear patterns, for 400 random ones (seed ${seed})`, async () => {
  const { default: recheck } = await import("recheck/lib/browser.js");
  const random = seededRandom(seed);
  let plain = 0;
  for (let count = 0; count < 400; count++) {
    const pattern = `${random.chance(80) ? "^" : ""}${randomPattern(random, 3)}$`;
    if (!isPlainlyLinear(pattern)) continue;
    plain++;
    const result = recheck.checkSync(pattern, "u", { timeout: 500, checker: "automaton" });
    expect({ pattern, status: result.status === "vulnerable" }).toEqual({ pattern, status: false });
  }
  expect(plain).toBeGreaterThan(60);
});

function randomPattern(random: ReturnType<typeof seededRandom>, depth: number): string {
  const atom = (): string => random.pick(["a", "b", "[ab]", "[^a]", "[b-d]", "c", "."]);
  if (depth === 0 || random.chance(25)) return atom();
  const part = (): string => randomPattern(random, depth - 1);
  const quantifier = random.pick(["*", "+", "?", "{2}", "{0,3}", "{2,}", "", ""]);
  const inner = random.chance(30)
    ? `${part()}|${part()}`
    : Array.from({ length: 1 + random.below(3) }, part).join("");
  return `(${inner})${quantifier}`;
}
