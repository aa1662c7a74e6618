/** The packages as they would be published: what judges them, and a project that begins with nothing else. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../support/docs.ts";
import { isSkipped, judges, npmFlags, pack, type Tarballs } from "./pack.ts";

const execute = promisify(execFile);
const isCi = process.env["CI"] === "true";

const runtimeModules = readdirSync(join(root, "generator/runtime/src")).map((name) =>
  name.replace(/[.]ts$/, ""),
);

let folder: string;
let app: string;
let tarballs: Tarballs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-package-"));
  app = join(folder, "app");
  mkdirSync(app);
  if (isSkipped) return;
  tarballs = await pack(folder, sourcesIn(folder));
  await execute("npm", ["install", ...npmFlags, tarballs.runtime], { cwd: app });
  await execute("npm", ["install", ...npmFlags, "--save-dev", tarballs.ridlkit], { cwd: app });
});
// Thousands of files of packages.
afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

describe.skipIf(isSkipped)("the packages", () => {
  test.each(["ridlkit", "runtime"] as const)(
    "%s has nothing that attw or publint finds wrong",
    async (name) => {
      const tarball = tarballs[name];
      const attw = [tarball, "--profile", "esm-only", "--no-emoji"];
      // A pattern of "exports" is not resolved.
      const entries = name === "runtime" ? ["--entrypoints", ...runtimeModules] : [];
      await execute(join(judges, "attw"), [...attw, ...entries]);
      const { stdout } = await execute(join(judges, "publint"), ["run", tarball, "--strict"]);
      expect(stdout).toContain("All good!");
    },
  );

  test("the runtime has no dependencies and no side effects", async () => {
    const path = join(app, "node_modules/ridlkit-runtime/package.json");
    const { dependencies, peerDependencies, peerDependenciesMeta, sideEffects } = JSON.parse(
      readFileSync(path, "utf8"),
    ) as Readonly<Record<string, object | false>>;
    expect({ dependencies, sideEffects }).toEqual({ sideEffects: false });
    for (const name of Object.keys(peerDependencies ?? {}))
      expect(peerDependenciesMeta, name).toHaveProperty([name, "optional"], true);
    // Bundlers trust "sideEffects": a module that is loaded for nothing must leave nothing behind.
    const script = `const state = () => [
  Reflect.ownKeys(globalThis),
  process.eventNames(),
  // Files of modules that were read are still being closed.
  process.getActiveResourcesInfo().filter((name) => name !== "CloseReq"),
];
const before = state();
const missing = {};
for (const name of ${JSON.stringify(runtimeModules)})
  await import("ridlkit-runtime/" + name).catch(({ message }) => { missing[name] = message.replace(/ imported from.*/s, ""); });
console.log(JSON.stringify({ before, after: state(), missing }));`;
    const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script], { cwd: app });
    const { before, after, missing } = JSON.parse(stdout) as Readonly<Record<string, object>>;
    expect(after).toEqual(before);
    // Packages that only these modules need, and that are not installed.
    expect(missing).toEqual({
      "uploads-by-runtime": "Cannot find package '@fastify/busboy'",
      "uploads-in-memory": "Cannot find package '@remix-run/multipart-parser'",
      "uploads-on-disk": "Cannot find package '@fastify/busboy'",
    });
  });

  test("each module of the runtime leads to its source", () => {
    const dist = join(app, "node_modules/ridlkit-runtime/dist");
    for (const name of runtimeModules)
      for (const kind of [".d.ts", ".js"]) {
        const map = `${name}${kind}.map`;
        expect(readFileSync(join(dist, name + kind), "utf8")).toMatch(`\n//# sourceMappingURL=${map}`);
        const { sources } = JSON.parse(readFileSync(join(dist, map), "utf8")) as {
          readonly sources: readonly string[];
        };
        expect(sources.map((source) => existsSync(join(dist, source)))).toEqual([true]);
      }
  });

  test('"go to definition" of what the runtime exports ends in its sources', async () => {
    const project = join(app, "definitions");
    mkdirSync(project);
    writeFileSync(
      join(project, "tsconfig.json"),
      '{ "compilerOptions": { "module": "nodenext", "lib": ["es2022"], "types": [] } }',
    );
    writeFileSync(join(project, "main.ts"), 'import { retries } from "ridlkit-runtime/client";\n');
    expect(await definitionOf("retries", join(project, "main.ts"))).toMatch(
      /node_modules\/ridlkit-runtime\/src\/client[.]ts: export function retries[(]/,
    );
  });

  test("brings one command and no code of the platform", () => {
    const { bin, exports } = JSON.parse(
      readFileSync(join(app, "node_modules/ridlkit/package.json"), "utf8"),
    ) as { readonly bin: object; readonly exports: object };
    expect(bin).toEqual({ ridlkit: "dist/ridlkit.js" });
    expect(Object.keys(exports)).toEqual([".", "./mock", "./schema.json", "./package.json"]);
    const dist = join(app, "node_modules/ridlkit/dist");
    expect(
      readdirSync(dist).filter(
        (name) => !/^(ridlkit(-.+)?|index|mock|recheck|yaml)[.](js|cjs|d[.]ts)$/.test(name),
      ),
    ).toEqual(["LICENSES.txt", "explorer"]);
    expect(readFileSync(join(dist, "LICENSES.txt"), "utf8")).toMatch(
      /^get-east-asian-width .*\nMIT License/m,
    );
    // The page of the explorer, without a contract.
    const page = readdirSync(join(dist, "explorer")).map((name) => name.replace(/-[A-Z0-9]{8}/, ""));
    expect(page.sort()).toEqual([
      "LICENSES.txt",
      "call-code.js",
      "chunk.js",
      "icon.svg",
      "index.html",
      "main.css",
      "main.js",
    ]);
    expect(sizeOf(join(dist, "explorer"))).toBeLessThan(140 * 1024);
  });

  test("installs no more than it says", () => {
    const installed = readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."));
    expect(installed).not.toContain("koa");
    expect(sizeOf(join(app, "node_modules")) / 2 ** 20).toBeLessThan(55);
  });
});

describe.skipIf(isSkipped).each(["this", "20", "22", "24"])("with Node.js %s", (version) => {
  const node =
    version === "this"
      ? process.execPath
      : join(root, `test/node-versions/node_modules/node-${version}/bin/node`);
  const isAbsent = !existsSync(node) && !isCi;

  test.skipIf(isAbsent)(
    "an empty folder becomes a project that is generated and served, and calls are answered",
    async () => {
      const project = join(app, `project-${version}`);
      mkdirSync(project);
      const ridlkit = join(app, "node_modules/ridlkit/dist/ridlkit.js");
      await execute(node, [ridlkit, "init"], { cwd: project });
      await execute(node, [ridlkit, "generate"], { cwd: project });
      const dev = spawn(node, [ridlkit, "dev", "--scaffold", "--port", "0", "--format", "json"], {
        cwd: project,
      });
      try {
        const url = await servedAt(dev.stdout);
        expect(await greet(url)).toEqual({ greeting: "Hello, Ann!" });
      } finally {
        dev.kill();
      }
    },
    120_000,
  );
});

describe.skipIf(isSkipped)("by npm, as a newcomer does it", () => {
  test("init, npm install, npm run dev, a call, an edit, a call; Ctrl-C ends all of it", async () => {
    // Where the package was installed.
    const project = app;
    await execute("npx", ["ridlkit", "init"], { cwd: project });
    await execute("npm", ["install", ...npmFlags], { cwd: project });
    const dev = spawn("npm", ["run", "dev", "--", "--port", "0", "--format", "json"], {
      cwd: project,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(dev, "exit");
    const group = -(dev.pid ?? 0);
    try {
      const url = await servedAt(dev.stdout);
      expect(await greet(url)).toEqual({ greeting: "Hello, Ann!" });
      edit("schema/hello.ridl", "(greeting: string)", "(greeting: string, letters: uint32)");
      edit("handlers/Hello/Greet.ts", "}!` };", "}!`, letters: req.name.length };");
      await expect
        .poll(() => greet(url), { timeout: 120_000 })
        .toEqual({ greeting: "Hello, Ann!", letters: 3 });
      process.kill(group, "SIGINT");
      await ended;
      // No process of its group is left, once what was told to end has done so.
      await expect.poll(() => isThere(group), { timeout: 120_000 }).toBe(false);
      await expect(fetch(url)).rejects.toThrow();
    } finally {
      if (isThere(group)) process.kill(group, "SIGKILL");
    }

    function edit(path: string, before: string, after: string): void {
      const text = readFileSync(join(project, path), "utf8");
      expect(text).toContain(before);
      writeFileSync(join(project, path), text.replace(before, after));
    }
  });
});

describe.skipIf(isSkipped)("the workflow of a new project", () => {
  test("installs, compiles, tests, and compares a pull request with its base branch", async () => {
    const project = join(folder, "project");
    mkdirSync(project);
    copyFileSync(tarballs.ridlkit, join(project, "ridlkit.tgz"));
    copyFileSync(tarballs.runtime, join(project, "ridlkit-runtime.tgz"));
    const ridlkit = join(app, "node_modules/ridlkit/dist/ridlkit.js");
    await execute(process.execPath, [ridlkit, "init", "--ridlkit", "./ridlkit.tgz"], { cwd: project });
    await execute("npm", ["install", ...npmFlags], { cwd: project });
    await execute("npm", ["run", "generate"], { cwd: project });
    const workflow = ".github/workflows/ridlkit.yml";
    git(project, "init", "--quiet", "--initial-branch=main");
    git(project, "config", "user.name", "Ann");
    git(project, "config", "user.email", "ann@example.com");
    git(project, "add", "--all", "--", ".", `:!${workflow}`);
    git(project, "commit", "--quiet", "--message=Add the project");

    const { steps } = (parse(readFileSync(join(project, workflow), "utf8")) as Workflow).jobs.ridlkit;
    const commands = steps.flatMap(({ run }) => run ?? []);
    const compare = commands.at(-1) ?? "";
    expect(steps.find(({ run }) => run === compare)).toMatchObject({
      if: "github.base_ref",
      env: { BASE: expect.stringMatching(/^origin\/\$\{\{ github[.]base_ref \}\}$/) },
    });
    expect(steps[0]).toMatchObject({ with: { "fetch-depth": 0 } });
    const clone = join(folder, "clone");
    const run = async (command: string): Promise<string> => {
      const env = { ...process.env, CI: "true", BASE: "origin/main", npm_config_prefer_offline: "true" };
      return (await execute("bash", ["-e", "-c", command], { cwd: clone, env })).stdout;
    };

    // The pull request that adds the workflow has nothing to compare with.
    git(folder, "clone", "--quiet", project, clone);
    expect(await run(compare)).toBe("");

    git(project, "add", "--all");
    git(project, "commit", "--quiet", "--message=Add the workflow");
    git(clone, "pull", "--quiet");
    for (const command of commands) await run(command);
    expect(commands.map((command) => command.split("\n")[0])).toEqual([
      "npm ci",
      "npx ridlkit lint --format github",
      "npx ridlkit check",
      "npx tsc --noEmit",
      "npm test --if-present",
      expect.stringMatching(/^if git cat-file/),
    ]);
    const schema = join(clone, "schema/hello.ridl");
    writeFileSync(schema, readFileSync(schema, "utf8").replace("name: string", "name: uint8"));
    await expect(run("npx ridlkit check")).rejects.toMatchObject({ code: 1 });
    await expect(run(compare)).rejects.toMatchObject({ stdout: expect.stringContaining("title=RK752") });
  });
});

interface Workflow {
  readonly jobs: { readonly ridlkit: { readonly steps: readonly Step[] } };
}

interface Step {
  readonly run?: string;
  readonly [key: string]: unknown;
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd, stdio: "pipe" });
}

/** Copies the files that a clone has, beside the packages of `npm ci --ignore-scripts`: without `dist`. */
function sourcesIn(parent: string): string {
  const sources = join(parent, "sources");
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  for (const file of files.filter((path) => path !== "" && existsSync(join(root, path))))
    cpSync(join(root, file), join(sources, file));
  symlinkSync(join(root, "node_modules"), join(sources, "node_modules"), "junction");
  return sources;
}

/** Where editors go from a name: to the file and line of its definition, through declaration maps. */
async function definitionOf(name: string, file: string): Promise<string | undefined> {
  const before = readFileSync(file, "utf8").split(name)[0] ?? "";
  const line = before.split("\n").length;
  const offset = before.length - before.lastIndexOf("\n") + 1;
  const server = spawn(process.execPath, [join(root, "node_modules/typescript/lib/tsserver.js")]);
  const requests = [
    { command: "open", arguments: { file } },
    { command: "definition", arguments: { file, line, offset } },
  ];
  server.stdin.write(
    requests.map((one, seq) => `${JSON.stringify({ seq, type: "request", ...one })}\n`).join(""),
  );
  for await (const text of createInterface(server.stdout)) {
    if (!text.includes('"command":"definition"')) continue;
    const { body } = JSON.parse(text) as {
      readonly body: readonly { readonly file: string; readonly start: { readonly line: number } }[];
    };
    server.kill();
    const [found] = body;
    if (found === undefined) return undefined;
    return `${found.file}: ${readFileSync(found.file, "utf8").split("\n")[found.start.line - 1]}`;
  }
  return undefined;
}

/** In bytes, of all files below a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function isThere(group: number): boolean {
  try {
    process.kill(group, 0);
    return true;
  } catch {
    return false;
  }
}

async function greet(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/rpc/Hello/Greet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name":"Ann"}',
  });
  return answer.json();
}

async function servedAt(lines: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of lines) {
    text += chunk;
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`it did not serve: ${text}`);
}
