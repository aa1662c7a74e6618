import { describe, expect, test } from "vitest";
import { freeFolder, isGetPath } from "../../../../generator/tools/dev/explorer-site.ts";

describe("the folder of the explorer", () => {
  test.each([
    [[], "/explorer/"],
    [["/rpc/pets/{id}", "/rpc/explorer"], "/explorer/"],
    [["/{id}"], "/-/explorer/"],
    [["/{owner}/{id}"], "/-/-/explorer/"],
    [["/explorer/{file}"], "/-/explorer/"],
    [["/explorer/schema.json"], "/-/explorer/"],
    [["/explorer"], "/-/explorer/"],
    [["/{a}", "/{a}/{b}", "/{a}/{b}/{c}"], "/-/-/-/explorer/"],
  ])("is one that no method uses: %j → %s", (getPaths, folder) => {
    expect(freeFolder(getPaths)).toBe(folder);
  });
});

test("the root is a method's path only if a method has it", () => {
  expect(isGetPath("/", ["/"])).toBe(true);
  expect(isGetPath("/", ["/{id}", "/rpc"])).toBe(false);
});
