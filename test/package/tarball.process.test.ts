/** The package as it would be published: what judges it, and a project that begins with nothing but it. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/docs.ts";

const execute = promisify(execFile);
const isCi = process.env["CI"] === "true";
const judges = join(root, "test/package/node_modules/.bin");
// Installed by .ci/run: `npm ci --prefix test/package`, where the registry can be reached for the rest as well.
const isSkipped = !existsSync(judges) && !isCi;
if (isSkipped)
  console.log("left out: the package is not judged; npm ci --prefix test/package installs what does");

const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];

let folder: string;
let app: string;
let tarball: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-package-"));
  app = join(folder, "app");
  mkdirSync(app);
  if (isSkipped) return;
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  await execute("npm", ["install", ...flags, tarball], { cwd: app });
});
// Thousands of files of packages.
afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

describe.skipIf(isSkipped)("the package", () => {
  test("has nothing that attw or publint finds wrong", async () => {
    await execute(join(judges, "attw"), [tarball, "--profile", "esm-only", "--no-emoji"]);
    const { stdout } = await execute(join(judges, "publint"), ["run", tarball, "--strict"]);
    expect(stdout).toContain("All good!");
  });

  test("brings one command and no code of the platform", () => {
    const { bin, exports } = JSON.parse(
      readFileSync(join(app, "node_modules/ridlkit/package.json"), "utf8"),
    ) as { readonly bin: object; readonly exports: object };
    expect(bin).toEqual({ ridlkit: "dist/ridlkit.js" });
    expect(Object.keys(exports)).toEqual([".", "./schema.json", "./package.json"]);
    const dist = join(app, "node_modules/ridlkit/dist");
    expect(
      readdirSync(dist).filter(
        (name) => !/^(ridlkit(-.+)?|index|recheck|yaml)[.](js|cjs|d[.]ts)$/.test(name),
      ),
    ).toEqual(["LICENSES.txt", "explorer"]);
    expect(readFileSync(join(dist, "LICENSES.txt"), "utf8")).toMatch(/^get-east-asian-width .*\nMIT License/);
    // The page of the explorer, without a contract.
    const page = readdirSync(join(dist, "explorer")).map((name) => name.replace(/-[A-Z0-9]{8}/, ""));
    expect(page.sort()).toEqual(["LICENSES.txt", "icon.svg", "index.html", "main.css", "main.js"]);
    expect(sizeOf(join(dist, "explorer"))).toBeLessThan(100 * 1024);
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
    await execute("npm", ["install", ...flags], { cwd: project });
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
