// Bundles the command line and the library entry into dist/.
import { readFileSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import ts from "typescript";
import { buildTimeFiles } from "./generator/codegen/emit/precompile.mjs";
import { licensesOf } from "./generator/explorer/licenses.mjs";
import { buildExplorer } from "./generator/explorer/page/build.mjs";
import { writeBuild } from "./write-build.mjs";

process.chdir(import.meta.dirname);
const { dependencies, peerDependencies, version } = JSON.parse(readFileSync("package.json", "utf8"));

// Dependencies stay imports: each is loaded on first use by a dynamic import, which a bundle would defeat.
const packages = Object.keys({ ...dependencies, ...peerDependencies });
const isPackage = (id) => packages.some((name) => id === name || id.startsWith(`${name}/`));

/** An entry that is not a file. It imports like a file of this folder. */
const entry = join(import.meta.dirname, "entry.js");
const entryText = (text) => ({
  name: "entry-text",
  resolveId: (id) => (id === entry ? entry : undefined),
  load: (id) => (id === entry ? text : undefined),
});

/** Returns the files of a bundle. */
async function bundle(input, output) {
  const bundled = await rolldown({
    platform: "node",
    ...input,
    transform: { target: "node20.19", ...input.transform },
    // What one command loads on first use, another one may need at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const generated = await bundled.generate({
    dir: "dist",
    format: "es",
    minify: true,
    comments: false,
    ...output,
  });
  await bundled.close();
  return generated.output;
}

// First, because the target explorer writes these files.
await buildExplorer({ entry: "generator/explorer/page/main.tsx", out: "dist/explorer", licensesOf });

/** Leaves the import of the checker of patterns to be resolved at run time, to the file that is built for it below. */
const recheckBeside = {
  name: "recheck-beside",
  resolveId: (id) => (id === "recheck/lib/browser.js" ? { id: "./recheck.js", external: true } : undefined),
};

/**
 * What is nearly always loaded together is one file: Node takes longer to find and open another file than to read code that a command
 * does not need. Each file contains what its modules import, except what is in a file before it.
 */
const files = [
  { name: "start", test: /cli\/(run|commands\/index)[.]ts$/ },
  { name: "language", test: /language\/compile[.]ts$|cli\/output\/report[.]ts$/ },
  { name: "generation", test: /codegen\/generate[.]ts$|cli\/commands\/(check|generate)[.]ts$/ },
];

const programs = await bundle(
  {
    input: { ridlkit: "generator/tools/cli/main.ts", index: "generator/index.ts", mock: "generator/mock.ts" },
    external: isPackage,
    plugins: [buildTimeFiles, recheckBeside],
    transform: {
      define: {
        RIDLKIT_VERSION: JSON.stringify(version),
        RIDLKIT_YAML: JSON.stringify("./yaml.cjs"),
      },
    },
  },
  {
    entryFileNames: "[name].js",
    chunkFileNames: "ridlkit-[name]-[hash].js",
    codeSplitting: { groups: files.map((file, index) => ({ ...file, priority: files.length - index })) },
    // Names stay, for stack traces of internal errors.
    minify: { compress: true, mangle: false, codegen: true },
  },
);

// The checker of patterns has native programs of 50 MB as optional dependencies; its plain build alone goes to users.
const recheck = await bundle(
  { input: { recheck: "recheck/lib/browser.js" } },
  {
    entryFileNames: "[name].js",
    postBanner: `/* recheck\n${readFileSync("node_modules/recheck/LICENSE", "utf8")}*/`,
  },
);

// Schemas in YAML are read without waiting, so the parts of the package that they need are a file that can be required.
// Its build for browsers: the other one asks the environment for a debug switch at every token.
const yaml = await bundle(
  {
    input: { yaml: entry },
    plugins: [
      entryText(
        'export { Composer, isMap, isScalar, isSeq, Lexer, Parser } from "./node_modules/yaml/browser/dist/index.js";',
      ),
    ],
  },
  {
    format: "cjs",
    entryFileNames: "[name].cjs",
    postBanner: `/*! ${readFileSync("node_modules/yaml/LICENSE", "utf8")}*/`,
  },
);

// The types of an entry are those of one file each: of `index`, what a configuration may hold.
const declarationsOf = async (file) => ts.transpileDeclaration(await readFile(file, "utf8"), {}).outputText;

const built = [programs, recheck, yaml].flat();
const texts = [
  ...built.map(({ fileName, code }) => ({ path: `dist/${fileName}`, contents: code })),
  { path: "dist/index.d.ts", contents: await declarationsOf("generator/tools/config/config.ts") },
  { path: "dist/mock.d.ts", contents: await declarationsOf("generator/mock.ts") },
  { path: "dist/LICENSES.txt", contents: licensesOf(programs.flatMap(({ moduleIds }) => moduleIds)) },
];
await writeBuild("dist", texts, (name) => name.startsWith("ridlkit-"));
await chmod("dist/ridlkit.js", 0o755);
