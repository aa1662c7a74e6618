/** What `ridlkit init --stack` writes, as its users have it: generated, compiled, started and tested by the project's own scripts. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { SchemaLanguage } from "../../generator/tools/init/project.ts";
import { type StackName, stackNames } from "../../generator/tools/init/stacks/index.ts";
import { tsc } from "../compile/project.ts";
import { installRuntime, ridlkit } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";
import { bun, deno } from "./recipes.ts";
import { freePort, post, start, untilAnswered } from "./started.ts";

const execute = promisify(execFile);
/** In the folder whose packages the projects use. */
const made = join(stacksFolder, ".made/init");
/** Those of packages whose install script has not run would stand in front of others on the PATH. */
const programs: Readonly<Record<string, string>> = {
  ridlkit: fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url)),
  bun,
  deno,
};

/** Arguments of `npm start` that name the port, where the environment cannot. */
const portArguments: Readonly<Partial<Record<StackName, readonly string[]>>> = {
  workers: ["--", "--port", "$PORT", "--ip", "127.0.0.1"],
};

afterAll(() => process.env["KEEP"] === "1" || rmSync(made, { recursive: true, force: true }));

describe.skipIf(!isInstalled)("init", () => {
  test.each(
    stackNames.map((stack, at): [StackName, SchemaLanguage] => [stack, at % 2 === 0 ? "ridl" : "yaml"]),
  )(
    "--stack %s --schema %s makes a project that compiles, starts and passes its test",
    async (stack, schema) => {
      const folder = join(made, stack);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(made, { recursive: true });
      const args = ["init", stack, "--stack", stack, "--schema", schema, "--format", "json"];
      expect(await ridlkit(args, { cwd: made })).toMatchObject({ code: 0, err: "" });
      for (const [name, path] of Object.entries(programs)) link(folder, name, path);
      installRuntime(folder);
      const port = await freePort();
      const env = environment(port);
      const npm = async (...words: readonly string[]): Promise<void> => {
        await execute("npm", words, { cwd: folder, env, maxBuffer: 2 ** 26 });
      };
      const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        readonly scripts: Readonly<Record<string, string>>;
      };
      await npm("run", "generate");
      await npm("run", "check:generated");
      if (scripts["build"] !== undefined) await npm("run", "build");
      await execute(process.execPath, [tsc, "--noEmit", "-p", folder]);
      if (scripts["test"] !== undefined) await npm("test");
      if (scripts["start"] === undefined) {
        expect(existsSync(join(folder, "dist/index.html"))).toBe(true);
        return;
      }
      await using _server = await start(["npm", "start", ...(portArguments[stack] ?? [])], folder, env);
      const url = `http://127.0.0.1:${port}/rpc/Hello/Greet`;
      await untilAnswered(url, { name: "Rex" });
      expect(await (await post(url, { name: "Rex" })).json()).toEqual({ greeting: "Hello, Rex!" });
      expect(await (await post(url, { name: 1 })).json()).toMatchObject({ error: "WebrpcBadRequest" });
      if (scripts["start"] !== "node dist/main.js") return;
      // The port is in use now.
      await expect(execute(process.execPath, ["dist/main.js"], { cwd: folder, env })).rejects.toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^.*listen.*EADDRINUSE.*\n$/),
      });
    },
  );
});

function environment(port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: String(port),
    NODE_ENV: undefined,
    NEXT_TELEMETRY_DISABLED: "1",
    WRANGLER_SEND_METRICS: "false",
    CI: "true",
  };
}

function link(folder: string, name: string, path: string): void {
  const linked = join(folder, "node_modules/.bin", name);
  mkdirSync(dirname(linked), { recursive: true });
  symlinkSync(path, linked);
}
