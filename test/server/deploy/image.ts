/** Builds the stages of server/deploy/Dockerfile as folders, because Docker is absent here: it does what their COPY and RUN lines say. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../../support/docs.ts";

export interface Image {
  /** What is `/` in a container. */
  readonly folder: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthCheck: readonly string[];
}

const dockerfile: string = join(root, "server/deploy/Dockerfile");

interface Stage {
  readonly name: string;
  readonly instructions: readonly (readonly [name: string, rest: string])[];
}

export function buildImage(folder: string): Image {
  const context = join(folder, "context");
  copyContext(context);
  const stages = readStages();
  for (const stage of stages) buildStage(stage, folder, context);
  const last = stages.at(-1);
  if (last === undefined) throw new Error("the Dockerfile has no stage");
  const restOf = (name: string): string =>
    last.instructions.findLast(([instruction]) => instruction === name)?.[1] ?? "";
  const env = last.instructions
    .filter(([name]) => name === "ENV")
    .flatMap(([, rest]) => rest.split(" "))
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return {
    folder: join(folder, last.name),
    workdir: restOf("WORKDIR"),
    env: Object.fromEntries(env),
    user: restOf("USER"),
    entrypoint: JSON.parse(restOf("ENTRYPOINT")) as readonly string[],
    healthCheck: JSON.parse(restOf("HEALTHCHECK").replace(/^.*? CMD /, "")) as readonly string[],
  };
}

function readStages(): readonly Stage[] {
  const lines = readFileSync(dockerfile, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
  const stages: { name: string; instructions: [string, string][] }[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.push({ name: / AS (\S+)$/.exec(rest)?.[1] ?? "image", instructions: [] });
    else stages.at(-1)?.instructions.push([name, rest]);
  }
  return stages;
}

/** The files that git knows and that `Dockerfile.dockerignore` lets pass. */
function copyContext(to: string): void {
  const rules = readFileSync(`${dockerfile}.dockerignore`, "utf8").split("\n");
  const included = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  }).split("\0");
  for (const file of files) {
    if (!included.some((path) => file === path || file.startsWith(`${path}/`))) continue;
    if (!existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
}

function buildStage({ name, instructions }: Stage, folder: string, context: string): void {
  let workdir = join(folder, name);
  for (const [instruction, rest] of instructions) {
    if (instruction === "WORKDIR") {
      workdir = join(folder, name, rest);
      mkdirSync(workdir, { recursive: true });
    } else if (instruction === "COPY") {
      const [, stage, paths = ""] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
      const sources = paths.split(" ");
      const target = sources.pop() ?? "";
      for (const source of sources)
        copy(join(stage === undefined ? context : join(folder, stage), source), workdir, target);
    } else if (instruction === "RUN") run(rest, workdir);
  }
}

/** The content of a folder, or a file. */
function copy(source: string, workdir: string, target: string): void {
  const to = join(workdir, target);
  if (statSync(source).isDirectory()) {
    mkdirSync(to, { recursive: true });
    execFileSync("cp", ["-a", `${source}/.`, to]);
  } else {
    mkdirSync(to, { recursive: true });
    cpSync(source, join(to, basename(source)));
  }
}

function run(command: string, workdir: string): void {
  // What it would install is installed in the repository.
  if (command === "npm ci --ignore-scripts") {
    for (const path of ["node_modules", "generator/runtime/node_modules", "server/node_modules"])
      if (existsSync(join(root, path))) symlinkSync(join(root, path), join(workdir, path));
    return;
  }
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: "true" };
  execFileSync("sh", ["-ec", command], { cwd: workdir, env, stdio: ["ignore", "ignore", "pipe"] });
}
