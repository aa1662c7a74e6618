import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { expect, test, vi } from "vitest";
import { PackageLoader } from "../../../../generator/tools/dev/package-loader.ts";
import { folder } from "../../../support/program.ts";

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  return { ...fs, writeFileSync: vi.fn<typeof fs.writeFileSync>(fs.writeFileSync) };
});

test("packages that are wanted at once share one importer, whose file is written once", async () => {
  const names = ["buffer", "crypto", "events", "fs", "http", "os", "path", "stream", "url", "util"];
  const lines = names.map(
    (name, index) => `import * as m${index} from "node:${name}"; used.push(m${index});`,
  );
  using dir = folder({ "main.js": `const used = [];\n${lines.join("\n")}\nexport { used };\n` });
  using packages = new PackageLoader(dir.path);
  vi.mocked(writeFileSync).mockClear();
  await build({
    absWorkingDir: dir.path,
    entryPoints: ["main.js"],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [packages.plugin("host")],
  });
  const written = vi.mocked(writeFileSync).mock.calls.map(([path]) => String(path));
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
