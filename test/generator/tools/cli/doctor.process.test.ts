import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Folder, folder, installRuntime, ridlkit } from "../../../support/program.ts";

/** What `init` and `generate` make, with packages; each test works on a copy. */
let project: Folder;
let dir: Folder;

/** Types of browsers and of packages take most of the time of compiling. For findings that do not need them. */
const lean = '"lib": ["es2022"], "types": []';

/** Generates types alone, which compile fast: for findings about options and packages. */
function withTypesAlone(spoil: () => void): () => Promise<void> {
  return async () => {
    write(
      "ridlkit.config.json",
      JSON.stringify({
        schemas: [{ entry: "schema/hello.ridl", out: "generated", handlers: "handlers", targets: ["types"] }],
      }),
    );
    await run("generate");
    spoil();
  };
}

/** Nothing is compiled, which takes most of the time: for findings that have nothing to do with it. */
function withoutCompiler(spoil: () => void | Promise<void>): () => void | Promise<void> {
  return () => {
    remove("tsconfig.json");
    return spoil();
  };
}

beforeAll(async () => {
  project = folder({});
  dir = project;
  await run("init");
  await run("generate");
  const { out: version } = await run("--version");
  write("node_modules/ridlkit/package.json", JSON.stringify({ version: version.trim() }));
  for (const name of ["koa", "@types/koa", "@types/node"]) link(name);
  installRuntime(dir.path);
});

beforeEach(() => {
  dir = folder({});
  cpSync(project.path, dir.path, { recursive: true, verbatimSymlinks: true });
});

afterEach(() => dir[Symbol.dispose]());

afterAll(() => project[Symbol.dispose]());

test("what init makes is well", async () => {
  execFileSync("git", ["init", "-q"], { cwd: dir.path });
  const { code, out } = await run("doctor");
  expect([code, out.split("\n").filter((line) => !line.startsWith("ok    "))]).toEqual([0, [""]]);
});

test.each<[string, string, number, () => void | Promise<void>]>([
  [
    "another version",
    "has 9.9.9 installed",
    1,
    withoutCompiler(() => write("node_modules/ridlkit/package.json", '{ "version": "9.9.9" }')),
  ],
  [
    "no runtime",
    "The package ridlkit-runtime is not installed, but ",
    1,
    withoutCompiler(() => remove("node_modules/ridlkit-runtime")),
  ],
  [
    "another version of the runtime",
    "but generated code imports ridlkit-runtime 9.9.9.",
    1,
    withoutCompiler(() => {
      const path = "node_modules/ridlkit-runtime/package.json";
      const content = readFileSync(join(dir.path, path), "utf8");
      write(path, JSON.stringify({ ...JSON.parse(content), version: "9.9.9" }));
    }),
  ],
  ["no version", "is not installed in the project", 0, withoutCompiler(() => remove("node_modules/ridlkit"))],
  ["no schema", "schema/hello.ridl does not exist", 1, withoutCompiler(() => remove("schema"))],
  [
    "stale output",
    "generated is out of date",
    1,
    withoutCompiler(() => write("schema/hello.ridl", "webrpc = v1\nname = a\n")),
  ],
  ["no output yet", "generated was not generated yet.", 1, () => remove("generated")],
  ["edited output", "generated is out of date", 1, withoutCompiler(() => write("generated/types.ts", ""))],
  [
    "a lock",
    "generated/.ridlkit.lock was left behind",
    0,
    withoutCompiler(() => write("generated/.ridlkit.lock", "1")),
  ],
  ["no handlers", "There are no handlers in handlers", 0, withoutCompiler(() => remove("handlers"))],
  [
    "a broken package.json",
    "package.json is not valid JSON",
    1,
    withoutCompiler(() => write("package.json", "{")),
  ],
  [
    "no .ts imports",
    'does not allow imports that end with ".ts"',
    1,
    () => tsconfig(`"module": "nodenext", ${lean}`),
  ],
  [
    "an old target",
    "Generated code does not compile with tsconfig.json: node_modules/ridlkit-runtime/",
    1,
    () =>
      tsconfig(
        '"target": "es5", "lib": ["es5"], "module": "nodenext", "types": ["node"], "noEmit": true, "allowImportingTsExtensions": true',
      ),
  ],
  [
    "inherited options",
    'does not allow imports that end with ".ts"',
    1,
    () => {
      write("base.json", `{ "compilerOptions": { "module": "nodenext" /* mine */, ${lean} } }`);
      write("tsconfig.json", '{ "extends": "./base.json", // mine\n "compilerOptions": {} }');
    },
  ],
  [
    "a base that is not there",
    "tsconfig.json: ",
    1,
    () => write("tsconfig.json", '{ "extends": "./gone.json" }'),
  ],
  [
    "AMD",
    'unsupported "module": "amd"',
    1,
    () => tsconfig(`"module": "amd", "ignoreDeprecations": "6.0", ${lean}`),
  ],
  [
    "CommonJS in a package of modules",
    'has "type": "module", but tsconfig.json emits CommonJS',
    1,
    withTypesAlone(() => tsconfig(`"module": "commonjs", ${written}`)),
  ],
  [
    "modules in a package of CommonJS",
    'emits ECMAScript modules ("module": "esnext"), but package.json does not have "type": "module"',
    1,
    withTypesAlone(() => {
      packageJson({ type: "commonjs" });
      tsconfig(`"module": "esnext", "moduleResolution": "bundler", ${written}`);
    }),
  ],
  [
    "modules in a package without a type",
    'does not have "type": "module"',
    0,
    withTypesAlone(() => {
      packageJson({});
      tsconfig(`"module": "esnext", "moduleResolution": "bundler", ${written}`);
    }),
  ],
  [
    "no inputs",
    "tsconfig.json has no input files",
    1,
    () => write("tsconfig.json", '{ "include": ["src"] }'),
  ],
  [
    "inputs elsewhere",
    "tsconfig.json does not include generated files",
    0,
    () => {
      write("src/a.ts", "export {};");
      write("tsconfig.json", `{ "compilerOptions": { ${lean} }, "include": ["src"] }`);
    },
  ],
  [
    "no koa",
    "The package koa is not installed, but main.ts imports it.",
    1,
    withTypesAlone(() => remove("node_modules/koa")),
  ],
  [
    "no parser of forms",
    "The package @fastify/busboy is not installed, but ridlkit-runtime/uploads-on-disk imports it.",
    1,
    withoutCompiler(async () => {
      write(
        "schema/hello.ridl",
        "webrpc = v1\nname = hello\nversion = v1\nservice Hello\n  - Store(picture: file)\n",
      );
      await run("generate");
    }),
  ],
  ["no types of Node.js", "The types of Node.js are not installed", 1, () => removeTypes()],
  [
    "types of Node.js that are left out",
    "tsconfig.json excludes the types of Node.js",
    1,
    () => {
      removeTypes();
      link("@types/node");
      tsconfig(`"module": "nodenext", ${written.replace('["node"]', "[]")}`);
    },
  ],
  [
    "a package that nobody lists",
    "package.json does not list koa, which main.ts imports",
    0,
    withTypesAlone(() => packageJson({ type: "module" })),
  ],
  ["a broken tsconfig.json", "tsconfig.json: ", 1, () => write("tsconfig.json", "{{")],
  [
    "ignored output",
    "generated is ignored by Git",
    0,
    withoutCompiler(() => {
      execFileSync("git", ["init", "-q"], { cwd: dir.path });
      write(".gitignore", "generated/\n");
    }),
  ],
  [
    "no attributes",
    ".ridlkit-handlers.json can cause merge conflicts",
    0,
    withoutCompiler(() => {
      execFileSync("git", ["init", "-q"], { cwd: dir.path });
      write(".gitattributes", "# .ridlkit.manifest merge=union\n");
    }),
  ],
])("reports %s with help", async (_case, says, code, spoil) => {
  await spoil();
  const { code: exit, out, err } = await run("doctor", "--format", "json");
  expect({ exit, err }).toEqual({ exit: code, err: "" });
  const { findings } = JSON.parse(out) as { findings: object[] };
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: code === 1 ? "error" : "warning",
      message: expect.stringContaining(says),
      help: expect.stringMatching(/[.]$/),
    }),
  );
});

const main = `import Koa from "koa";
import { handlers } from "./handlers.ts";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { createServer } from "../generated/server.ts";
new Koa().use(koaMiddleware(createServer(handlers))).listen(3000);
`;

/** Options that write JavaScript. */
const written =
  '"target": "es2022", "lib": ["es2022"], "types": ["node"], "strict": true, "esModuleInterop": true, "rewriteRelativeImportExtensions": true, "outDir": "dist", "rootDir": ".", "skipLibCheck": true';

const bundled =
  '"target": "es2022", "lib": ["es2022"], "types": ["node"], "strict": true, "esModuleInterop": true, "allowImportingTsExtensions": true, "noEmit": true, "skipLibCheck": true';

const koa = { dependencies: { koa: "^3.0.0", "ridlkit-runtime": "^0.1.0" } };

test.each<[string, () => void]>([
  ["CommonJS by tsc", () => setUp(koa, `"module": "commonjs", "moduleResolution": "bundler", ${written}`)],
  ["CommonJS by nodenext", () => setUp(koa, `"module": "nodenext", ${written}`)],
  ["modules by nodenext", () => setUp({ ...koa, type: "module" }, `"module": "nodenext", ${written}`)],
  [
    "a bundler, in a package of CommonJS",
    () => setUp({ ...koa, type: "commonjs" }, `"module": "preserve", ${bundled}`),
  ],
  [
    "a bundler, with names of its own",
    () => {
      setUp(
        { ...koa, type: "module" },
        `"module": "esnext", "moduleResolution": "bundler", "paths": { "@api/*": ["./generated/*"] }, ${bundled}`,
      );
      write("handlers/main.ts", main.replaceAll("../generated/", "@api/"));
    },
  ],
  [
    "names of a package's own",
    () => {
      setUp(
        { ...koa, type: "module", imports: { "#api/*": "./generated/*" } },
        `"module": "nodenext", ${bundled}`,
      );
      write("handlers/main.ts", main.replaceAll("../generated/", "#api/"));
    },
  ],
  [
    "an inherited tsconfig.json",
    () => {
      setUp({ ...koa, type: "module" }, "");
      write("configs/base.json", `{ "compilerOptions": { "module": "nodenext", ${bundled} } }`);
      write("tsconfig.json", '{ "extends": ["./configs/base.json"], "include": ["handlers", "generated"] }');
    },
  ],
  [
    "references to other projects",
    () => {
      setUp({ ...koa, type: "module" }, "");
      write(
        "tsconfig.json",
        '{ "files": [], "references": [{ "path": "./web" }, { "path": "./tsconfig.api.json" }] }',
      );
      write("web/page.ts", "export const page = document.title;");
      write(
        "web/tsconfig.json",
        '{ "compilerOptions": { "composite": true, "module": "preserve", "lib": ["dom", "es2015"] } }',
      );
      write(
        "tsconfig.api.json",
        `{ "compilerOptions": { "composite": true, "module": "nodenext", ${written} }, "include": ["handlers", "generated"] }`,
      );
    },
  ],
  [
    "files that inputs import",
    () => {
      setUp({ ...koa, type: "module" }, "");
      write(
        "tsconfig.json",
        `{ "compilerOptions": { "module": "nodenext", ${bundled} }, "files": ["handlers/main.ts"] }`,
      );
    },
  ],
])("%s: works, and is well", async (_case, make) => {
  make();
  const { code, out } = await run("doctor");
  expect([code, out.split("\n").filter((line) => !line.startsWith("ok    "))]).toEqual([0, [""]]);
});

test("before the first generate, only that is advised", async () => {
  remove("generated");
  const { out } = await run("doctor");
  expect(out).toContain("error    generated was not generated yet.\n         Run npx ridlkit generate.\n");
  expect(out).not.toContain("tsconfig.json does not include");
});

test("text has a line for what is wrong, and one for what to do", async () => {
  withoutCompiler(() => remove("schema"))();
  const { code, out } = await run("doctor", "--quiet");
  expect({ code, out }).toEqual({
    code: 1,
    out: `error    The schema schema/hello.ridl does not exist.\n         Correct "entry" in the configuration.\n`,
  });
});

test("without a configuration it says how to get one", async () => {
  remove("ridlkit.config.json");
  expect(await run("doctor")).toMatchObject({
    code: 2,
    err: expect.stringContaining("or run ridlkit init"),
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir.path, path)), { recursive: true });
  writeFileSync(join(dir.path, path), text);
}

function remove(path: string): void {
  rmSync(join(dir.path, path), { recursive: true });
}

function tsconfig(options: string): void {
  write("tsconfig.json", `{ "compilerOptions": { ${options} } }`);
}

/** Those of Koa bring those of Node.js along. */
function removeTypes(): void {
  for (const name of ["@types", "koa"]) remove(`node_modules/${name}`);
}

function packageJson(content: object): void {
  write("package.json", JSON.stringify(content));
}

/** A project with a main module. */
function setUp(content: object, options: string): void {
  packageJson(content);
  write("handlers/main.ts", main);
  tsconfig(options);
}

/** A package of ours, as if it were installed. */
function link(name: string): void {
  const path = join(dir.path, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(fileURLToPath(new URL(`../../../../node_modules/${name}`, import.meta.url)), path, "dir");
}

function run(...args: string[]): ReturnType<typeof ridlkit> {
  const path = process.env["PATH"] ?? "";
  return ridlkit(args, { cwd: dir.path, env: { PATH: path } });
}
