import { describe, expect, test } from "vitest";
import { answerOurselves } from "../support/compare.ts";
import { allCases, type Case, readCases, readKnownDifferences, requestOf } from "./cases.ts";
import { moreInputs } from "./more-inputs.ts";

const cases = allCases();
const differences = readKnownDifferences().filter(({ kind }) => !kind.startsWith("go-"));
const known = new Map(differences.map(({ name, kind }) => [name, kind]));

describe("the recorded cases of the reference parser", () => {
  test.each(cases.filter(({ name }) => !known.has(name)))("$name: same verdict, IR and hash", (one) => {
    expect(one.verdict, "crashes and hangs belong into known-differences.txt").toMatch(/^(ok|error)$/);
    expect(seen(one, {})).toEqual(recorded(one));
  });
});

test("more-cases.json matches more-inputs.ts: run record.ts after a change", () => {
  const asked = moreInputs().map((input) => ({ name: input.name, request: requestOf(input) }));
  expect(readCases("more-cases.json").map(({ name, request }) => ({ name, request }))).toEqual(asked);
});

describe("known differences", () => {
  test("each entry names one case, without duplicates", () => {
    const names = differences.map(({ name }) => name);
    expect(names.filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(cases.filter(({ name }) => ["crash", "hang"].includes(known.get(name) ?? "")))(
    "$name: an error here, no answer there",
    (one) => {
      expect(one.verdict).toBe(known.get(one.name));
      expect(answerOurselves(one.request).verdict).toBe("error");
    },
  );

  test.each(cases.filter(({ name }) => known.get(name) === "newer"))(
    "$name: accepted here and by later versions",
    (one) => {
      expect(one.verdict).toBe("error");
      expect(answerOurselves(one.request).verdict).toBe("ok");
    },
  );

  const garbled = cases.filter(({ name }) => known.get(name) === "mojibake");

  test.each(garbled.filter(({ verdict }) => verdict === "ok"))(
    "$name: another hash, unless parity is asked for",
    (one) => {
      expect(answerOurselves(one.request)).toMatchObject({ verdict: "ok" });
      expect(seen(one, {})).not.toEqual(recorded(one));
      expect(seen(one, { hashParity: true })).toEqual(recorded(one));
    },
  );

  test.each(garbled.filter(({ verdict }) => verdict !== "ok"))(
    "$name: found here, not found there",
    (one) => {
      expect(one.verdict).toBe("error");
      expect(answerOurselves(one.request).verdict).toBe("ok");
    },
  );
});

function recorded({ verdict, ir, hash }: Case): unknown {
  return verdict === "ok" ? { verdict, ir, hash } : { verdict };
}

function seen({ request }: Case, options: { readonly hashParity?: boolean }): unknown {
  const answer = answerOurselves(request, options);
  if (answer.verdict === "ok") return { verdict: "ok", ir: asRecorded(answer.ir), hash: answer.hash };
  return answer.verdict === "error" ? { verdict: "error" } : answer;
}

/** JSON.stringify turned -0 into 0 in the recorded cases; the hash still distinguishes them. */
function asRecorded(ir: string): unknown {
  return JSON.parse(JSON.stringify(JSON.parse(ir)));
}
