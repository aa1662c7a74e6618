import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeIr } from "../../generator/language/ir/write.ts";
import { shopV1, shopV2, shopV3 } from "../generator/codegen/versions/shop-versions.ts";
import { type Folder, folder } from "../support/program.ts";
import { contractOf } from "../support/versions.ts";
import { compiler, generateIn, project, schemas } from "./project.ts";

const execute = promisify(execFile);
const majors = [5, 6, 7] as const;
const node = { lib: ["es2023"], types: ["node"] };
/** Also checks the declarations of the runtime. */
const browser = {
  lib: ["es2022", "dom"],
  types: [],
  module: "preserve",
  moduleResolution: "bundler",
  skipLibCheck: false,
};

/** Everything that can be generated. */
const adapters = ["koa", "node", "fetch", "undici", "tanstack-query"];
const targets = ["client", "server", "validators", "recorder", "standard-schema", "explorer"];

/** The oldest targets and type libraries. Next.js sets up projects with this target. */
const aged = {
  target: "es2017",
  lib: ["es2020", "dom"],
  types: ["node"],
  module: "esnext",
  moduleResolution: "bundler",
};

/** Targets without a server, all of which run in browsers. */
const browserTargets = ["client", "validators", "standard-schema"];

const next = {
  target: "es2017",
  lib: ["dom", "dom.iterable", "esnext"],
  types: ["node"],
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: false,
  resolveJsonModule: true,
  isolatedModules: true,
};
const nest = {
  target: "es2023",
  types: ["node"],
  allowImportingTsExtensions: false,
  noEmit: false,
  outDir: "out",
  rootDir: "src",
};

/** Too large for a single condition: TypeScript 7 fails at about 2,000 values, older versions overflow the stack. */
const largeEnum = `webrpc = v1
name = large
version = v1
basepath = /rpc
enum Large: uint16
${Array.from({ length: 5_000 }, (_, at) => `  - V${at}\n`).join("")}
service Larges
  - Put(one: Large, byName: map<Large,Large>) => (byName: map<Large,Large>)
`;

let everything: Folder;
let copied: Folder;
let client: Folder;
let old: Folder;
let oldBrowser: Folder;
let bundled: Folder;
let emitted: Folder;
let wrong: Folder;

beforeAll(async () => {
  using written = folder({ "large.ridl": largeEnum });
  everything = await project([...Object.keys(schemas), `${written.path}/large.ridl`], node, {
    adapters,
    targets,
  });
  await generateVersions(everything);
  writeFileSync(join(everything.path, "src/handlers.ts"), typesOfHandlers());
  copied = await project(["interop", "streams", "reads", "keys", "routes"], node, {
    adapters,
    targets,
    runtime: "copy",
  });
  client = await project(["platform", "globals", "web-globals"], browser, { targets: ["client"] });
  old = await project(["platform", "interop", "validation", "streams"], aged, {
    runtime: "copy",
    adapters,
    targets,
    enums: "closed",
  });
  oldBrowser = await project(
    ["platform", "validation", "streams", "keys", "reads", "routes"],
    { ...aged, types: [] },
    { targets: browserTargets, adapters: ["tanstack-query"], runtime: "copy" },
  );
  bundled = await project(["platform", "streams"], next, { importExtension: "none", adapters: ["fetch"] });
  emitted = await project(["platform", "streams"], nest, {
    importExtension: ".js",
    adapters: ["express"],
  });
  wrong = await project(
    ["streams"],
    { ...node, lib: ["es5"], types: [] },
    { targets: ["client"], runtime: "copy" },
  );
});

/** What `npm run types` checks with the newest compiler. */
function typesOfHandlers(): string {
  const path = fileURLToPath(new URL("../types/server-handlers.test-d.ts", import.meta.url));
  return readFileSync(path, "utf8")
    .replace(/"[./]+\/generator\/runtime\/src\/(.+)\.ts"/g, '"ridlkit-runtime/$1"')
    .replace(/"[./]+\/fixtures\/(.+)\/generated\/server\.ts"/g, '"./$1/server.ts"');
}

/** A server that speaks three versions, with functions that are written by hand. */
async function generateVersions(made: Folder): Promise<void> {
  const kept = [shopV1, shopV2].map((text, index) => {
    return [`history/v${index + 1}.0.0.webrpc.json`, writeIr(contractOf(text).ir)] as const;
  });
  using written = folder({ "shop.ridl": shopV3, ...Object.fromEntries(kept) });
  const [entry, history] = [`${written.path}/shop.ridl`, `${written.path}/history`];
  await generateIn(made, { entry, history, out: join(made.path, "src", "versions") });
}

afterAll(() => {
  for (const made of [everything, copied, client, old, oldBrowser, bundled, emitted, wrong])
    made[Symbol.dispose]();
});

describe.each(majors)("TypeScript %i, with every strict flag", (major) => {
  const tsc = compiler(major);
  // Installed by .ci/run: `npm ci --prefix test/compile`.
  const isSkipped = tsc === undefined && process.env["CI"] !== "true";
  // Version 6 checks like 5, so it skips most projects.
  const isRepeated = major === 6;

  test.skipIf(isSkipped)("compiles all generated code", async () => {
    expect(await complaints(tsc, everything.path)).toBe("");
  });

  test.skipIf(isSkipped)("compiles all generated code and the runtime with strict alone", async () => {
    for (const { path } of [everything, copied])
      expect(await complaints(tsc, path, "strict-alone.json")).toBe("");
  });

  test.skipIf(isSkipped || isRepeated)("compiles copies of the runtime", async () => {
    expect(await complaints(tsc, copied.path)).toBe("");
  });

  test.skipIf(isSkipped || isRepeated)("compiles a client for browsers, which know no Node", async () => {
    expect(await complaints(tsc, client.path)).toBe("");
  });

  test.skipIf(isSkipped || isRepeated)(
    "compiles for ES2017, with the types of ES2020 and the DOM",
    async () => {
      expect(await complaints(tsc, old.path)).toBe("");
    },
  );

  test.skipIf(isSkipped || isRepeated)(
    "compiles for browsers and ES2017 with the types of ES2020 and the DOM alone",
    async () => {
      expect(await complaints(tsc, oldBrowser.path)).toBe("");
    },
  );

  test.skipIf(isSkipped || isRepeated)(
    "compiles as Next.js and Vite set projects up, whose imports have no extension",
    async () => {
      expect(await complaints(tsc, bundled.path)).toBe("");
    },
  );

  test.skipIf(isSkipped || isRepeated)(
    "is written as JavaScript by tsc alone, with imports that end with .js",
    async () => {
      expect(await complaints(tsc, emitted.path)).toBe("");
    },
  );

  test.skipIf(isSkipped)("reports an inserted error, so that success is meaningful", async () => {
    expect(await complaints(tsc, wrong.path)).toMatch(/error TS\d+/);
  });
});

/** Returns a compiler's output, even if it crashes. */
async function complaints(tsc: string | undefined, cwd: string, config = "."): Promise<string> {
  if (tsc === undefined) throw new Error("not installed: npm ci --prefix test/compile");
  try {
    // TypeScript 7 is a Go program. Collecting garbage less often takes a quarter off its time.
    const env = { ...process.env, GOGC: "400" };
    return (await execute(process.execPath, [tsc, "-p", config], { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (err) {
    const { stdout, stderr } = err as { readonly stdout: string; readonly stderr: string };
    return stdout + stderr || String(err);
  }
}
