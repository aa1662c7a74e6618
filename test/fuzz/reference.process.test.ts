import { describe, expect, test } from "vitest";
import { allCases, type Case, readCases } from "../conformance/cases.ts";
import { seededRandom } from "../support/random.ts";
import { type Reference, referenceBinary, startReference } from "../support/reference.ts";
import { readCorpus } from "./corpus.ts";
import { findDifferences } from "./differential.ts";
import { findStricterVerdicts } from "./strictness.ts";

const binary = referenceBinary();
const { CI } = process.env;
const isMissing = binary === undefined && CI !== "true";
if (isMissing) console.warn("skipped: the reference parser is not built; .ci/run builds it with Go");

const seed = 20_252;

describe.skipIf(isMissing)("against the reference parser", () => {
  test.each(["ridl-cases.json", "more-cases.json"])(
    "%s matches the current reference tool",
    async (fileName) => {
      await using reference = start();
      const cases = readCases(fileName).filter(({ verdict }) => verdict !== "hang");
      const answers = await Promise.all(cases.map((one) => answer(reference, one)));
      expect(answers).toEqual(cases.map(({ name, verdict, hash }) => ({ name, verdict, hash })));
    },
  );

  test("recorded hangs do not respond within 200 ms", async () => {
    await using reference = start({ hangMs: 200 });
    const cases = allCases().filter(({ verdict }) => verdict === "hang");
    const answers = await Promise.all(cases.map((one) => answer(reference, one)));
    expect(answers).toEqual(cases.map(({ name }) => ({ name, verdict: "hang" })));
  });

  test(`5,000 random schemas get the same verdict, IR and hash (seed ${seed})`, async () => {
    await using reference = start();
    const { findings } = await findDifferences({
      random: seededRandom(seed),
      reference,
      corpus: readCorpus([]),
      count: 5_000,
    });
    expect(findings).toEqual([]);
  });

  test(`5,000 random schemas are rejected only for listed reasons if it accepts them (seed ${seed})`, async () => {
    await using reference = start();
    const found = await findStricterVerdicts(seededRandom(seed), reference, 5_000);
    expect(found.accepted).toBeGreaterThan(2_500);
    expect([...found.codes].filter(([code]) => !Object.hasOwn(stricterCodes, code))).toEqual([]);
    expect([...found.dropInCodes]).toEqual([]);
  });
});

/** Errors in schemas that the reference accepts, and why they are no warnings: the generated code would be wrong. */
const stricterCodes: Readonly<Record<string, string>> = {
  RK333: "no difference: two values of one number are an error since v0.48, and the binary is older",
  RK402: "servers would not check the limit, or clients would send what the key was to change",
  RK403: "servers would not check what the schema says",
  RK405: "servers would reject every value",
  RK406: "a value could belong to either of two fields",
  RK411: "the field is no part of a choice: it is required, or always written",
  RK412: "a choice has at least two fields",
  RK413: "the data of the error that was meant would have no type",
  RK414: "callers read the data of an error as one type",
  RK418: "requests could set a field that was to be omitted",
  RK419: "callers and servers would not know which fields are meant",
};

function start(options?: { readonly hangMs: number }): Reference {
  if (binary === undefined) throw new Error("the reference parser is not built: see .ci/run");
  return startReference(binary, options);
}

async function answer(reference: Reference, { name, request }: Case): Promise<unknown> {
  const seen = await reference.ask(request);
  return { name, verdict: seen.verdict, hash: seen.verdict === "ok" ? seen.hash : undefined };
}
