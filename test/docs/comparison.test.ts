import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage, root } from "../support/docs.ts";

test("docs/comparison.md names the versions that the bench runs", () => {
  const path = join(root, "test/bench/peers/package.json");
  const { dependencies } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const goModules = readFileSync(join(root, "test/reference/go.mod"), "utf8");
  const versions = {
    buf: dependencies["@bufbuild/buf"],
    connect: dependencies["@connectrpc/connect"],
    "protoc-gen-es": dependencies["@bufbuild/protoc-gen-es"],
    orval: dependencies["orval"],
    "openapi-typescript": dependencies["openapi-typescript"],
    "openapi-fetch": dependencies["openapi-fetch"],
    "@hey-api/openapi-ts": dependencies["@hey-api/openapi-ts"],
    "webrpc-gen": /github.com\/webrpc\/webrpc v(\S+)/.exec(goModules)?.[1],
    "gen-typescript": /github.com\/webrpc\/gen-typescript v(\S+)/.exec(goModules)?.[1],
  };
  const page = readPage("docs/comparison.md");
  for (const [name, version] of Object.entries(versions)) expect(page).toContain(`${name} ${version}`);
});
