import { expect, test } from "vitest";
import { metaKeys } from "../../generator/language/model/meta/keys.ts";
import { readPage } from "../support/docs.ts";
import { metaKeysPage } from "./meta-keys-page.ts";

// After a change to the vocabulary: npx vitest run test/docs/meta-keys.test.ts --update
test("docs/meta-keys.md has every key of the vocabulary", async () => {
  await expect(metaKeysPage()).toMatchFileSnapshot("../../docs/meta-keys.md");
});

test("the language's own page has them too, and no others", () => {
  const [, table = ""] = /^## Meta keys$(.*?)^## /ms.exec(readPage("schema/README.md")) ?? [];
  const named = [...table.matchAll(/^\| ((?:`[\w.]+` ?)+)\|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(Object.keys(metaKeys).toSorted());
});
