/**
 * Asks the reference parser about every case of more-inputs.ts and writes more-cases.json, so that the cases run without Go
 * too: `tsx test/conformance/record.ts`. Needs test/reference/bin/reference, which .ci/run builds.
 */
import { writeFileSync } from "node:fs";
import { type ReferenceAnswer, referenceBinary, startReference } from "../support/reference.ts";
import { type RecordedCase, requestOf } from "./cases.ts";
import type { CaseInput } from "./inputs/rows.ts";
import { moreInputs } from "./more-inputs.ts";

const binary = referenceBinary();
if (binary === undefined) throw new Error("the reference parser is not built: see .ci/run");
await using reference = startReference(binary);
const inputs = moreInputs();
const names = new Set(inputs.map(({ name }) => name));
if (names.size !== inputs.length) throw new Error("two cases have the same name");
const answers = await Promise.all(inputs.map((input) => reference.ask(requestOf(input))));
const cases = inputs.map((input, index) => JSON.stringify(record(input, answers[index] as ReferenceAnswer)));
const note = "Made by test/conformance/record.ts from more-inputs.ts; the same form as ridl-cases.json.";
const url = new URL("more-cases.json", import.meta.url);
writeFileSync(url, `{"note":${JSON.stringify(note)},"cases":[\n${cases.join(",\n")}\n]}\n`);
const tally = { ok: 0, error: 0, crash: 0, hang: 0 };
for (const { verdict } of answers) tally[verdict]++;
console.log(`${cases.length} cases`, tally);
for (const [index, { verdict }] of answers.entries()) {
  if (verdict === "crash" || verdict === "hang") console.log(`${inputs[index]?.name} ${verdict}`);
}

function record(input: CaseInput, answer: ReferenceAnswer): RecordedCase {
  switch (answer.verdict) {
    case "ok":
      return { ...input, ok: true, hash: answer.hash, ir: JSON.parse(answer.ir) };
    case "error":
      return { ...input, ok: false, error: answer.message };
    case "crash":
      return { ...input, ok: false, error: answer.message, verdict: "crash" };
    case "hang":
      return { ...input, ok: false, verdict: "hang" };
  }
}
