import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage, root } from "../support/docs.ts";

const source = readFileSync(join(root, "generator/runtime/src/options.ts"), "utf8");

test("docs/server-options.md has every option and every limit", () => {
  const [options = [], limits = []] = ["Options", "Limits"].map((title) => {
    const [, part = ""] = readPage("docs/server-options.md").split(`\n## ${title}\n`);
    return [...(part.split("\n## ")[0] ?? "").matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
  });
  expect(options).toEqual(fieldsOf("ServerOptions"));
  const all = ["Limits", "StreamLimits", "UploadOptions"].map(fieldsOf);
  expect(limits).toEqual(
    ["limits", "streams", "uploads"].flatMap((group, index) =>
      (all[index] ?? []).map((name) => `${group}.${name}`),
    ),
  );
});

function fieldsOf(name: string): readonly string[] {
  const [, body = ""] = new RegExp(`^export interface ${name}\\b(.*?)^}$`, "ms").exec(source) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = ""]) => field);
}
