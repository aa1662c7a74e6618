// The program of `npm start`: runs the platform with its demo, or only the server with --production. Builds the server first if
// its sources are newer than the build.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `platform: Node.js 20.19 or newer is required, but this is ${process.version}; see https://nodejs.org\n`,
  );
  process.exit(2);
}

const root = fileURLToPath(new URL(".", import.meta.url));
const program = join(root, "server/dist/platform.js");

// A copy for production may not include the sources.
if (existsSync(join(root, "server/build.mjs"))) buildIfOld();
const argv = process.argv.slice(2);
const isServerAlone = argv.includes("--production") || process.env.PRODUCTION === "true";
if (!isServerAlone) process.argv.splice(2, 0, "demo");
await import("./server/dist/platform.js");

function buildIfOld() {
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs;
  const isBuilt = built !== undefined;
  if (isBuilt && newest(["schema", "generator", "generated", "build.mjs", ...serverSources()]) <= built)
    return;
  const error = writeError(join(root, isBuilt ? "server/dist" : "server"));
  if (error !== undefined) {
    process.stderr.write(
      `platform: server/dist/ ${isBuilt ? "is older than its sources" : "is missing"} and cannot be built: ${error}; run "npm run build" as the owner of the folder\n`,
    );
    process.exit(2);
  }
  process.stderr.write(
    isBuilt
      ? "platform: the sources have changed; building server/dist/ again\n"
      : "platform: building server/dist/ for the first start\n",
  );
  if (isBuilt && newest(["schema", "generator"]) > built) {
    run("build.mjs");
    run("dist/ridlkit.js", "generate", "--quiet");
  }
  run("server/build.mjs");
}

function writeError(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (err) {
    return err.message;
  }
}

/** The program has printed its own errors. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  process.stderr.write("platform: server/dist/ could not be built; nothing was started\n");
  process.exit(1);
}

function serverSources() {
  return readdirSync(join(root, "server"))
    .filter((name) => name !== "dist" && name !== "node_modules")
    .map((name) => join("server", name));
}

function newest(paths) {
  return Math.max(
    0,
    ...paths.map((path) => {
      const stat = statSync(join(root, path), { throwIfNoEntry: false });
      if (stat === undefined) return 0;
      if (!stat.isDirectory()) return stat.mtimeMs;
      return newest(readdirSync(join(root, path)).map((name) => join(path, name)));
    }),
  );
}
