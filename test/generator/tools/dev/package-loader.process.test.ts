import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { PackageLoader } from "../../../../generator/tools/dev/bundle.ts";
import { folder } from "../../../support/program.ts";

/** Runs `work`, and returns the paths of the files that it wrote with `writeFileSync`. */
async function pathsWritten(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { writeFileSync } = fs;
  const paths: string[] = [];
  fs.writeFileSync = (...args) => {
    paths.push(String(args[0]));
    writeFileSync(...args);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.writeFileSync = writeFileSync;
    syncBuiltinESMExports();
  }
  return paths;
}

test("packages that are wanted at once share one importer, whose file is written once", async () => {
  const names = ["buffer", "crypto", "events", "fs", "http", "os", "path", "stream", "url", "util"];
  const lines = names.map(
    (name, index) => `import * as m${index} from "node:${name}"; used.push(m${index});`,
  );
  using dir = folder({ "main.js": `const used = [];\n${lines.join("\n")}\nexport { used };\n` });
  using packages = new PackageLoader(dir.path);
  const written = await pathsWritten(() =>
    build({
      absWorkingDir: dir.path,
      entryPoints: ["main.js"],
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
      packages: "external",
      plugins: [packages.plugin("host")],
    }),
  );
  expect(written.filter((path) => path.endsWith("import.mjs"))).toHaveLength(1);
});

test("a package that is not installed is reported with the command that installs it", async () => {
  using dir = folder({ "main.js": 'import "@scope/no-such/part"; import "~/alias";\n' });
  using packages = new PackageLoader(dir.path);
  const building = build({
    absWorkingDir: dir.path,
    entryPoints: ["main.js"],
    bundle: true,
    write: false,
    packages: "external",
    logLevel: "silent",
    plugins: [packages.plugin("host")],
  });
  await expect(building).rejects.toMatchObject({
    errors: [
      {
        text: expect.stringMatching(
          /Cannot find package '@scope\/no-such'[.] Run: npm install @scope\/no-such$/,
        ),
      },
      { text: expect.stringMatching(/Cannot find package '~'$/) },
    ],
  });
});
