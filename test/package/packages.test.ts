/** What npm installs for users of ridlkit, by the lock file: how many packages, with which licenses, and which run scripts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Package {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  /** Machines that it is for. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const root = new URL("../../", import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8")) as {
  readonly packages: Readonly<Record<string, Package>>;
};

/** The packages that ridlkit depends on, directly or not, by their places in `node_modules`. */
function installed(): ReadonlyMap<string, Package> {
  const found = new Map<string, Package>();
  const add = (from: string, { dependencies, optionalDependencies }: Package): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, from);
      const one = packages[place];
      if (one === undefined || found.has(place)) continue;
      found.set(place, one);
      add(place, one);
    }
  };
  add("", { ...packages[""], optionalDependencies: {} });
  return found;
}

/** Where Node finds a package that another one imports. */
function placeOf(name: string, from: string): string {
  const folder = from === "" ? "" : `${from}/`;
  const place = `${folder}node_modules/${name}`;
  if (place in packages || from === "") return place;
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

const tree = installed();

test("installs at most 80 packages, those for other machines aside", () => {
  const everywhere = [...tree.values()].filter(({ os, cpu }) => os === undefined && cpu === undefined);
  expect(everywhere.length).toBeGreaterThan(30);
  expect(everywhere.length).toBeLessThanOrEqual(78);
});

test("every package has a license that asks for no more than to name its authors", () => {
  const asking = [...tree].filter(
    ([, { license }]) =>
      !/^(MIT|ISC|BSD-[23]-Clause|Apache-2.0|BlueOak-1.0.0|0BSD|CC0-1.0)$/.test(license ?? ""),
  );
  expect(asking).toEqual([]);
});

test("no package but esbuild runs a script when it is installed", () => {
  const running = [...tree].filter(([, { hasInstallScript = false }]) => hasInstallScript);
  expect(running.map(([place]) => place)).toEqual(["node_modules/esbuild"]);
});
