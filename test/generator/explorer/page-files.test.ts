import { describe, expect, test } from "vitest";
import { pageTexts } from "../../../generator/explorer/page-texts.ts";
import { filesByPath } from "../../../generator/runtime/src/explorer.ts";
import { folder } from "../../support/program.ts";

describe("the files of the page", () => {
  test("are those of the built page's folder", async () => {
    using dir = folder({ "index.html": "<html>", "app-ABCD1234.js": "é" });
    const texts = pageTexts(dir.path);
    expect(texts).toEqual({ "index.html": "<html>", "app-ABCD1234.js": "é" });
    expect([...filesByPath("/explorer/", texts).keys()].sort()).toEqual([
      "/explorer",
      "/explorer/",
      "/explorer/app-ABCD1234.js",
      "/explorer/index.html",
    ]);
  });

  test("are none before the page is built", () => {
    using dir = folder({});
    expect(pageTexts(`${dir.path}/none`)).toEqual({});
    expect(filesByPath("/explorer/", {}).size).toBe(0);
  });
});
