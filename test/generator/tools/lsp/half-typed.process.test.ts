import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Editor } from "../../../support/editor.ts";
import { platformYaml } from "../../../support/platform-yaml.ts";
import { folder } from "../../../support/program.ts";
import { seededRandom } from "../../../support/random.ts";

const seed = Number(process.env["SEED"] ?? 20_261);
const rounds = Number(process.env["EDITS"] ?? 150);

const methods = ["hover", "completion", "definition", "references", "documentHighlight", "prepareRename"];
const texts = {
  "api.ridl": readFileSync("schema/types/webhook.ridl", "utf8"),
  "api.yaml": platformYaml().slice(0, 12_000),
};

/** What fingers do to a text: a piece gone, a character in, a line twice, the rest not yet typed. */
function mangled(text: string, random: ReturnType<typeof seededRandom>): string {
  const at = random.below(text.length + 1);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + random.below(40));
    case 2:
      return (
        text.slice(0, at) +
        random.pick([..."(){}[]<>:|@+-=#\"'?,\\\0\r\n\t ", "map<", "import ", "\ud800"]) +
        text.slice(at)
      );
    case 3:
      return text.slice(0, at) + text.slice(Math.max(0, at - random.below(80)), at) + text.slice(at);
    default:
      return text.slice(at);
  }
}

test(`whatever half-typed text it is asked about, it answers (seed ${seed})`, async () => {
  using project = folder({
    ...texts,
    "ridlkit.config.json": JSON.stringify({ schemas: [{ entry: "api.ridl" }, { entry: "api.yaml" }] }),
  });
  await using editor = await Editor.open(project.path);
  const random = seededRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const name = random.pick(["api.ridl", "api.yaml"] as const);
    const path = join(project.path, name);
    let text = texts[name];
    for (let edit = 0; edit <= random.below(3); edit++) text = mangled(text, random);
    await editor.write(path, text);
    const lines = text.split("\n");
    const line = random.below(lines.length);
    const textDocument = { uri: pathToFileURL(path).href };
    const position = { line, character: random.below((lines[line]?.length ?? 0) + 2) };
    const context = { includeDeclaration: true, diagnostics: [] };
    const range = { start: position, end: position };
    const asked = [
      ...methods.map((method) => editor.ask(`textDocument/${method}`, { textDocument, position, context })),
      editor.ask("textDocument/documentSymbol", { textDocument }),
      editor.ask("textDocument/codeAction", { textDocument, range, context }),
      editor.ask("textDocument/formatting", { textDocument, options: { tabSize: 2, insertSpaces: true } }),
      // Refused in words where there is nothing to rename.
      editor.ask("textDocument/rename", { textDocument, position, newName: "Renamed" }).catch((err) => {
        expect(err.code, String(err.stack)).toBe(-32_803);
      }),
    ];
    for (const answer of asked) await expect(answer, `round ${round}`).resolves.not.toBeInstanceOf(Error);
  }
  expect(editor.complaints).toBe("");
});
