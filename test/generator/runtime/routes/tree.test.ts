/** Which routes a path finds. */
import { describe, expect, test } from "vitest";
import { RouteTree } from "../../../../generator/runtime/src/routes.ts";

/** A tree of routes such as `GET /pets/{id}`, which are their own names. */
function treeOf(...routes: readonly string[]): RouteTree<string> {
  const tree = new RouteTree<string>();
  for (const route of routes) {
    const [verb = "", path = ""] = route.split(" ");
    tree.add(verb, path, route);
  }
  return tree;
}

function found(tree: RouteTree<string>, path: string): readonly string[] {
  return [...(tree.find(path)?.values() ?? [])].sort();
}

describe("a path", () => {
  const tree = treeOf(
    "GET /",
    "GET /a",
    "GET /a/b",
    "GET /a/{x}",
    "PUT /a/{y}",
    "GET /a/{x}/c",
    "POST /a/b/{z}",
    "GET /a/b/c/d",
    "GET /{any}/b/c/e",
    "GET /__proto__/{x}",
  );

  test.each<[path: string, routes: readonly string[]]>([
    ["/", ["GET /"]],
    ["/a", ["GET /a"]],
    ["/a/b", ["GET /a/b", "PUT /a/{y}"]],
    ["/a/c", ["GET /a/{x}", "PUT /a/{y}"]],
    ["/a/b/c", ["GET /a/{x}/c", "POST /a/b/{z}"]],
    ["/a/b/d", ["POST /a/b/{z}"]],
    ["/a/b/c/d", ["GET /a/b/c/d"]],
    ["/a/b/c/e", ["GET /{any}/b/c/e"]],
    ["/__proto__/x", ["GET /__proto__/{x}"]],
    ["/a/__proto__", ["GET /a/{x}", "PUT /a/{y}"]],
    ["/a/{x}", ["GET /a/{x}", "PUT /a/{y}"]],
    ["", []],
    ["a", []],
    ["//", []],
    ["/a/", []],
    ["//a", []],
    ["/a//c", []],
    ["/b", []],
    ["/constructor", []],
    ["/A", []],
    ["/a/b/c/d/e", []],
    ["*", []],
  ])("%s", (path, routes) => {
    expect(found(tree, path)).toEqual([...routes].sort());
  });
});

test("a large API takes as few steps as a small one", () => {
  const visits = (count: number): number => {
    const routes = Array.from({ length: count }, (_, index) => `GET /a${index}/{id}/b${index}`);
    const tree = treeOf(...routes);
    const original = Map.prototype.get;
    let lookups = 0;
    Map.prototype.get = function get(this: Map<unknown, unknown>, key: unknown) {
      lookups++;
      return original.call(this, key);
    };
    try {
      tree.find(`/a${count - 1}/7/b${count - 1}`);
    } finally {
      Map.prototype.get = original;
    }
    return lookups;
  };
  expect(visits(10_000)).toBe(visits(1));
});
