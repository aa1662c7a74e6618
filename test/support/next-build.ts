/** The next release of the platform: its sources with one more migration, as a build of its own. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Migration } from "../../server/base/storage/migrate.ts";

export interface NextBuild extends Disposable {
  readonly program: string;
}

const server = fileURLToPath(new URL("../../server/", import.meta.url));

export async function buildNext(migration: Migration): Promise<NextBuild> {
  // Inside the repository, so that its packages are found.
  const folder = mkdtempSync(join(server, "dist/next-"));
  await build({
    entryPoints: { platform: join(server, "host/main.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    packages: "external",
    loader: { ".sql": "text" },
    define: { RIDLKIT_VERSION: JSON.stringify("0.0.0-next") },
    logLevel: "warning",
    plugins: [
      {
        name: "next-migration",
        setup: ({ onLoad }) =>
          onLoad({ filter: /storage\/migrate[.]ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const contents = text.replace(/\];\s*$/, `${JSON.stringify(migration)}];\n`);
            if (contents === text) throw new Error(`${path} does not end with the list of migrations`);
            return { contents, loader: "ts" };
          }),
      },
    ],
  });
  return {
    program: join(folder, "platform.js"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
