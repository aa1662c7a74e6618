import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
const file = "generator/tools/lsp/vscode/syntaxes/ridl.tmLanguage.json";

/** `[text, scope]` of what the grammar of the extension has a color for. */
async function colored(text: string): Promise<readonly (readonly [string, string])[]> {
  await oniguruma.loadWASM(readFileSync(wasm));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (value) => new oniguruma.OnigString(value),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.ridl");
  let state = textmate.INITIAL;
  const found: (readonly [string, string])[] = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar?.tokenizeLine(line, state) ?? { tokens: [], ruleStack: state };
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const scope = scopes.at(-1);
      if (scopes.length > 1 && scope !== undefined)
        found.push([line.slice(startIndex, endIndex), scope.replace(/\.ridl$/, "")]);
    }
  }
  return found;
}

test("the extension colors what the language has", async () => {
  const text = `webrpc = v1
import ./a.ridl # of others
enum Kind: string
  - CAT = cat
struct Pet
  - nickname?: []Name
    + maxLength = 40
error 100 NotFound "not found" HTTP 404
service Shop
  @deprecated:"use Find"
  - Get(id: uint64) => stream (pet: Pet) errors NotFound`;
  const found = await colored(text);
  for (const pair of [
    ["webrpc", "keyword.control"],
    ["./a.ridl", "string.unquoted.path"],
    ["# of others", "comment.line.number-sign"],
    ["Kind", "entity.name.type"],
    ["string", "support.type.primitive"],
    ["CAT", "variable.other.enummember"],
    ["nickname", "variable.other.member"],
    ["?", "keyword.operator.optional"],
    ["Name", "entity.name.type"],
    ["maxLength", "entity.other.attribute-name"],
    ["100", "constant.numeric"],
    ["NotFound", "entity.name.exception"],
    ["@deprecated", "entity.name.function.decorator"],
    ["Get", "entity.name.function"],
    ["id", "variable.parameter"],
    ["uint64", "support.type.primitive"],
    ["=>", "keyword.operator.arrow"],
    ["stream", "storage.modifier"],
    ["errors", "keyword.other"],
  ])
    expect(found).toContainEqual(pair);
});

test("whatever the platform's contract holds, no line runs into the next", async () => {
  const text = readFileSync("schema/types/webhook.ridl", "utf8");
  const found = await colored(text);
  expect(found.filter(([, scope]) => scope === "storage.type").map(([word]) => word)).toEqual(
    [...text.matchAll(/^(struct|enum|type|service|error)\b/gm)].map(([, word]) => word),
  );
});
