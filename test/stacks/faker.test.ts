import { describe, expect, test } from "vitest";
import { exampleTexts } from "../../generator/tools/cli/servers/server-options.ts";
import { builtInTexts } from "../../generator/verify/samples/example-texts.ts";
import { textMeanings } from "../../generator/verify/samples/meaning.ts";
import { seededRandom } from "../../generator/verify/samples/random.ts";
import { folder } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";

describe.skipIf(!isInstalled)("with faker in the project", () => {
  test("texts come from it, the same with the same seed", async () => {
    const texts = await exampleTexts(stacksFolder);
    const all = (): string[] => {
      const random = seededRandom(7);
      return textMeanings.map((meaning) => texts.text(meaning, random));
    };
    expect(all()).toEqual(all());
    expect(all().filter((text) => text === "" || text === "undefined")).toEqual([]);
    const product = texts.text("title", seededRandom(1));
    expect(product).not.toBe(builtInTexts.text("title", seededRandom(1)));
  });
});

test("without it texts are the built-in ones", async () => {
  using empty = folder({ "package.json": "{}" });
  expect(await exampleTexts(empty.path)).toBe(builtInTexts);
});
