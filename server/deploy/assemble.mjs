// Writes a folder for production: the server, the packages that it loads, and a list of both (SBOM). Run it after `npm ci` and the
// build: node server/deploy/assemble.mjs FOLDER
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const [given] = process.argv.slice(2);
if (given === undefined) fail("expected a folder: node server/deploy/assemble.mjs FOLDER");
if (!existsSync(join(root, "server/dist/platform.js")))
  fail('server/dist/ is missing; run "npm run build" in the repository first');
const target = resolve(given);
mkdirSync(target, { recursive: true });
if (readdirSync(target).length > 0) fail(`${target} is not empty`);

const { workspaces } = readJson("package.json");
for (const path of [
  "package.json",
  "package-lock.json",
  ".npmrc",
  ...workspaces.map((each) => `${each}/package.json`),
])
  copy(path, path);
npm("ci", "--workspace=server", "--omit=dev", "--omit=optional", "--ignore-scripts");
// The folder is one package, not a repository of several.
for (const path of ["package-lock.json", ".npmrc", ...workspaces.map((each) => each.split("/")[0] ?? "")])
  rmSync(join(target, path), { recursive: true, force: true });
for (const workspace of workspaces)
  rmSync(join(target, "node_modules", readJson(`${workspace}/package.json`).name), { force: true });
const {
  devDependencies: _,
  optionalDependencies: __,
  scripts: ___,
  ...manifest
} = readJson("server/package.json");
writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const entry of readdirSync(join(target, "node_modules"), { recursive: true, withFileTypes: true })) {
  // Production loads neither source maps nor types.
  if (entry.isFile() && /\.(?:map|d\.[cm]?ts)$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
}
writeFileSync(join(target, "sbom.cdx.json"), npm("sbom", "--sbom-format=cyclonedx"));
for (const path of ["LICENSE", "server/dist", "server/platform.mjs"]) copy(path, basename(path));
// `npx platform` finds the program here, and a container by its PATH.
const command = join(target, "node_modules/.bin/platform");
rmSync(command, { force: true });
symlinkSync("../../platform.mjs", command);

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function copy(from, to) {
  cpSync(join(root, from), join(target, to), { recursive: true });
}

function npm(...args) {
  const { status, stdout } = spawnSync("npm", args, {
    cwd: target,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status === 0) return stdout;
  for (const entry of readdirSync(target)) rmSync(join(target, entry), { recursive: true });
  fail(`npm ${args[0]} failed; nothing was written`);
}

function fail(message) {
  process.stderr.write(`assemble: ${message}\n`);
  process.exit(2);
}
