import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emitFiles } from "../../../../generator/codegen/generate.ts";
import { isOmitted } from "../../../../generator/codegen/plan/plan.ts";
import { sdkReadme } from "../../../../generator/tools/cli/generate/sdk-readme.ts";
import { folder } from "../../../support/program.ts";
import { planOf } from "../../../support/sample-plan.ts";

const root = join(import.meta.dirname, "../../../..");
const fixtures = join(root, "test/fixtures");

const schema = `webrpc = v1
name = pictures
version = v1.0.0
basepath = /rpc

error 100 Full "full" HTTP 409

enum Side: string
  - front

struct Delete
  - id?: uint64

struct Page
  - next?: string
    + nullable = always

service Delete
  # Old.
  @deprecated:"use Upload"
  - Put(title: string) => ()
  # Keeps a picture
  @auth:"key"
  - Upload(title: string, count: uint8, picture: file, small?: file) => (id: uint64) errors Full
    # Not in the table.
  - Many(files: []file) => ()
  - More(files?: []file) => ()
  - Feed(topic: string) => stream (text: string)
  - Load(id: uint64) => (file) errors Full
  - Find(text?: string) => (ids: []uint64)
  - Turn(sides: []Side, by: map<Side,uint8>, page: Page) => ()
  - List(Page) => (Page)
  - Drop(Delete) => (Page)
  - Ping() => ()

service API
  - Ping() => (ok: bool)

service _1
  - Ping() => (ok: bool)
`;

const run = promisify(execFile);

/** The code in a README as a module: its example, the client with credentials, and the calls in the table of each service. */
function moduleOf(readme: string): { readonly text: string; readonly calls: number } {
  const [intro = "", ...sections] = readme.split(/^## /m);
  const [, example = ""] = /^```ts\n(.*?)^```/ms.exec(intro) ?? [];
  const [, withCredentials = "0"] = /^`(new .*)`[.]$/m.exec(intro) ?? [];
  const { imported, code } = /^import (?<imported>.*?)\n(?<code>.*)/s.exec(example)?.groups ?? {};
  const blocks = sections.map((section) => {
    const [className = ""] = section.split("\n");
    const calls = [...section.matchAll(/^\| `(.*?)` \|/gm)].map(([, call]) => `  ${call};\n`);
    const [, name = ""] = /^ {2}([\w$]+)/.exec(calls[0] ?? "") ?? [];
    return {
      calls: calls.length,
      text: `{\n  const ${name} = new client.${className}("");\n${calls.join("")}}`,
    };
  });
  const text = `import ${imported}
import * as client from "./client.ts";
declare const given: never;
{
${code}}
${withCredentials.replace("new ", "new client.")};
${blocks.map((block) => block.text).join("\n")}
`;
  return {
    text: text.replaceAll("…", "given").replaceAll("\\|", "|"),
    calls: blocks.reduce((sum, block) => sum + block.calls, 0),
  };
}

test("all code in the README of an SDK compiles", async () => {
  const names = readdirSync(fixtures).filter((name) => existsSync(join(fixtures, name, "schema.ridl")));
  const texts = names.map((name) => [name, readFileSync(join(fixtures, name, "schema.ridl"), "utf8")]);
  const files: Record<string, string> = { "package.json": '{ "type": "module" }' };
  for (const [name, text = ""] of [["pictures", schema], ...texts]) {
    // Without fields that every object inherits, which TypeScript does not allow a call to omit.
    const plan = planOf({ "a.ridl": text.replaceAll(/\b(toString|constructor)\b/g, "$1Text") }, "a.ridl");
    const options = { schemaFile: "a.ridl", targets: ["client"], runtime: "copy" } as const;
    for (const [path, content] of emitFiles(plan, options)) files[`${name}/${path}`] = content;
    const use = moduleOf(sdkReadme({ name: "./client.ts", version: "1.0.0", plan }));
    const methods = plan.services.flatMap((service) => service.methods.filter((one) => !isOmitted(one)));
    expect(use.calls).toBe(methods.length);
    if (methods.length > 0) files[`${name}/use.ts`] = use.text;
  }
  using dir = folder(files);
  const flags =
    "--noEmit --strict --module nodenext --target esnext --allowImportingTsExtensions --skipLibCheck";
  const uses = Object.keys(files).filter((path) => path.endsWith("/use.ts"));
  const tsc = join(root, "node_modules/typescript-7/bin/tsc");
  const compiled = run(process.execPath, [tsc, ...flags.split(" "), ...uses], { cwd: dir.path });
  expect(await compiled.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: "" });
}, 300_000);

test("the README says what a method returns, which credentials it needs, and that it is deprecated", () => {
  const plan = planOf({ "a.ridl": schema }, "a.ridl");
  const readme = sdkReadme({ name: "pictures", version: "1.0.0", plan });
  expect(readme).toContain("console.log(await delete$.upload({ title: …, count: …, picture: … }));");
  expect(readme).toContain("`new Delete({ url:");
  expect(readme.split("\n").filter((line) => /^[|] `delete.*[.](put|upload|feed|load)/.test(line))).toEqual([
    "| `delete$.put({ title: … })` | **Deprecated**: use Upload. Old. | any |",
    "| `delete$.upload({ title: …, count: …, picture: … })` | Keeps a picture. Requires credentials: key. | `Full` |",
    "| `delete$.feed({ topic: … })` | Returns a stream: read its items with `for await`. | any |",
    "| `delete$.load({ id: … })` | Returns a file. | `Full` |",
  ]);
});
