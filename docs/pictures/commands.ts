/** Commands of the toolkit that the docs show, each run in a project of its own. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { terminalSvg } from "./terminal.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = join(root, "dist/ridlkit.js");

export interface Picture {
  readonly file: string;
  readonly svg: string;
}

const shop = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

struct Order
  - id: uint64
  - total: string
  - note?: string
    + maxLength = 200

error 100 OrderNotFound "order not found" HTTP 404

service Shop
  @readonly
  - GetOrder(id: uint64) => (order: Order) errors OrderNotFound
  - PlaceOrder(total: string, note?: string) => (order: Order)
`;

/** Three mistakes: a type, an error and a meta key. */
export function lintPicture(): Picture {
  using project = newProject();
  project.write(
    shop
      .replace("(order: Order) errors OrderNotFound", "(order: Ordr) errors OrderNotFond")
      .replace("+ maxLength = 200", "+ maxlength = 200"),
  );
  return picture("diagnostic.svg", ["lint", "shop.ridl"], project);
}

/** An id that becomes text, and an argument that becomes required. */
export function breakingPicture(): Picture {
  using project = newProject();
  const identity = ["user.name=shop", "user.email=shop@shop.example", "init.defaultBranch=main"];
  const git = (...args: string[]): void => {
    const settings = identity.flatMap((setting) => ["-c", setting]);
    execFileSync("git", [...settings, ...args], { cwd: project.path, stdio: "ignore" });
  };
  project.write(shop);
  git("init");
  git("add", ".");
  git("commit", "-m", "Add a shop");
  project.write(
    shop.replace("note?: string) =>", "note: string) =>").replace("- id: uint64\n", "- id: string\n"),
  );
  return picture("breaking.svg", ["breaking", "--against", "main", "shop.ridl"], project);
}

/** The mock of the schema, held to the schema. */
export async function testPicture(): Promise<Picture> {
  using project = newProject();
  project.write(shop);
  const url = "http://127.0.0.1:4100";
  const mock = spawn(process.execPath, [program, "mock", "shop.ridl", "--port", "4100"], {
    cwd: project.path,
    stdio: "ignore",
  });
  try {
    await untilServed(url);
    return picture("test.svg", ["test", "--url", url, "shop.ridl"], project);
  } finally {
    mock.kill();
  }
}

/** A new project served, and its handler edited once. */
export async function devPicture(): Promise<Picture> {
  using project = newProject();
  execFileSync(process.execPath, [program, "init", project.path], { stdio: "ignore" });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const dev = spawn(process.execPath, [program, "dev", "--port", "4101"], {
    cwd: project.path,
    env: { ...process.env, FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  try {
    await until(() => output.includes("serving"));
    writeFileSync(join(project.path, "handlers/Hello/Greet.ts"), handler);
    const printed = output.length;
    await until(() => output.length > printed);
    return { file: "dev.svg", svg: terminalSvg("npx ridlkit dev --port 4101", output.trimEnd().split("\n")) };
  } finally {
    dev.kill();
  }
}

const handler = `import type { HelloHandlers } from "../../generated/server.ts";

export const greet: HelloHandlers["Greet"] = async (_ctx, { name }) => ({ greeting: \`Good morning, \${name}!\` });
`;

function picture(file: string, args: readonly string[], project: Project): Picture {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: project.path,
    env: { PATH: process.env["PATH"], FORCE_COLOR: "1" },
    encoding: "utf8",
  });
  const lines = `${stdout}${stderr}`.trimEnd().split("\n");
  return { file, svg: terminalSvg(`npx ridlkit ${args.join(" ")}`, lines) };
}

interface Project extends Disposable {
  readonly path: string;
  /** Writes the schema. */
  readonly write: (schema: string) => void;
}

function newProject(): Project {
  const path = mkdtempSync(join(tmpdir(), "ridlkit-picture-"));
  return {
    path,
    write: (schema) => writeFileSync(join(path, "shop.ridl"), schema),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export async function untilServed(url: string): Promise<void> {
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error("waited for two minutes");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
