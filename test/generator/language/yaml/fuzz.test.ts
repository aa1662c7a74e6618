import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { platformYaml } from "../../../support/platform-yaml.ts";
import { seededRandom } from "../../../support/random.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const rounds = Number(process.env["FUZZ_ROUNDS"] ?? 400);
const lines = platformYaml().split("\n");
/** Characters and words with a meaning in YAML or in the schema format. */
const bits = ["\n", " ", "\t", ":", ": ", "- ", "-", "#", "?", "? ", "[", "]", "{", "}", ",", "&a", "*a", "!t", "|", ">", "'", '"', "\\", "%", "@", "---\n", "...\n", "<<: ", "~", "null", "é", "\u2028", "\r", "\0", "\u0002", "\ufeff", "map<", "[]", "meta:", "docs:", "types:"]; // biome-ignore format: one list

test(`a randomly damaged schema is accepted or rejected, and never throws (seed ${seed})`, () => {
  const random = seededRandom(seed);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const from = random.below(lines.length - 60);
    let text = `webrpc: v1\n${lines.slice(from, from + 60).join("\n")}\n`;
    for (let damage = 1 + random.below(4); damage > 0; damage--) {
      const at = random.below(text.length);
      const cut = random.below(3);
      text = text.slice(0, at) + random.pick(bits) + text.slice(at + cut);
    }
    const { result, diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
    if (result !== undefined) continue;
    refused++;
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length === 0) throw new Error(`refused without a reason:\n${text}`);
    for (const { at } of errors) {
      if (at !== undefined && at.file.path === "t.yaml" && at.span.end > text.length)
        throw new Error(`a place past the end:\n${text}`);
    }
  }
  expect(refused).toBeGreaterThan(rounds / 4);
});
