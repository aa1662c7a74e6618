import { expect, test } from "vitest";
import { convert } from "../../../../generator/language/convert/convert.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

test.each([
  [0x08, false],
  [0x09, true],
  [0x0b, false],
  [0x0c, false],
  [0x0e, false],
  [0x1f, false],
  [0x20, true],
  [0x7e, true],
  [0x7f, false],
  [0xa0, true],
])("a YAML comment can hold the character %i: %s", (code, isPossible) => {
  const comment = `# a${String.fromCharCode(code)}b`;
  const ridl = `webrpc = v1\nname = t\nversion = v1\n\n${comment}\nstruct Pet\n  - id: int\n`;
  const { text, diagnostics } = convert("api.ridl", memoryReader({ "api.ridl": ridl }), { to: "yaml" });
  expect(text?.includes(comment) ?? false).toBe(isPossible);
  const reason = "This comment cannot be written in YAML: it contains a control character.";
  expect(diagnostics.some(({ message }) => message === reason)).toBe(!isPossible);
});
