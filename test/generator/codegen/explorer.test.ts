/** The files of the explorer. */
import { expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import type { EmittedFile, TargetName } from "../../../generator/codegen/options.ts";
import { compile } from "../../../generator/language/compile.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const adapters = ["koa", "node", "fetch"] as const;
const explorer: readonly EmittedFile[] = [
  { path: "explorer/index.html", text: "<p>\n" },
  { path: "explorer/main.js", text: 'import x from "./x.ts";\u2028"é`${"' },
];

function filesOf(...targets: readonly TargetName[]): ReadonlyMap<string, string> {
  const schema = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n  - A(id: int32)\n";
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const options = { schemaFile: "t.ridl", targets, adapters, explorer, importExtension: ".js" } as const;
  return generate(result.model, result.ir, options);
}

test("without a server, the target writes the page alone", () => {
  expect([...filesOf("explorer").keys()]).toEqual(explorer.map(({ path }) => path));
});

test.each<[targets: readonly TargetName[]]>([[["explorer", "server"]], [["explorer", "recorder"]]])(
  "with %j, explorer.ts has the texts of all files, unchanged",
  (targets) => {
    const files = filesOf(...targets);
    for (const { path, text } of explorer) expect(files.get(path)).toBe(text);
    const [, texts = ""] = /> = (\{[\s\S]*\});\n$/.exec(files.get("explorer.ts") ?? "") ?? [];
    expect(new Function(`return ${texts}`)()).toEqual({
      "index.html": explorer[0]?.text,
      "main.js": explorer[1]?.text,
    });
  },
);
