import { expect, test } from "vitest";
import { type MetaKey, type MetaKeyName, metaKeys } from "../../generator/language/model/meta/keys.ts";
import { metaKeyDocs } from "../../generator/tools/lsp/meta-key-docs.ts";
import { readPage, withGenerated } from "../support/docs.ts";

// After a change to the vocabulary: npx vitest run test/docs/meta-keys.test.ts --update
test("docs/meta-keys.md has every key of the vocabulary", async () => {
  const rows = Object.entries(metaKeys).map(([name, key]) => {
    const cells = [
      `\`${name}\``,
      placeOf(name, key),
      key.expected("~") ?? "text",
      metaKeyDocs[name as MetaKeyName],
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const table = ["| key | on | value | purpose |", "|---|---|---|---|", ...rows].join("\n");
  await expect(withGenerated("docs/meta-keys.md", table)).toMatchFileSnapshot("../../docs/meta-keys.md");
});

test("the language's own page has them too, and no others", () => {
  const [, table = ""] = /^## Meta keys$(.*?)^## /ms.exec(readPage("schema/README.md")) ?? [];
  const named = [...table.matchAll(/^\| ((?:`[\w.]+` ?)+)\|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(Object.keys(metaKeys).toSorted());
});

function placeOf(name: string, { shapes, fieldOnly, aliasOnly }: MetaKey): string {
  if (name === "json") return "field, value of an integer enum";
  const place = fieldOnly === true ? "field" : aliasOnly === true ? "alias" : "field, alias";
  return shapes === undefined ? place : `${place}: ${shapes.join(", ")}`;
}
