/** A client that another maker's generator makes of our document calls the platform's host. */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startHost } from "../support/host.ts";
import { folder } from "../support/program.ts";
import { isInstalled, packagePath, validate } from "./tools.ts";

const run = promisify(execFile);
const document = fileURLToPath(new URL("../../generated/openapi/openapi.yaml", import.meta.url));

test.runIf(isInstalled)("the platform's document is valid", async () => {
  const { valid, errors } = await validate(readFileSync(document, "utf8"));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test.runIf(isInstalled)("openapi-typescript and openapi-fetch call the host", async () => {
  using made = folder({ "package.json": JSON.stringify({ type: "module" }) });
  symlinkSync(packagePath("."), join(made.path, "node_modules"), "junction");
  copyFileSync(fileURLToPath(new URL("fixtures/app.ts", import.meta.url)), join(made.path, "app.ts"));
  const generator = packagePath("openapi-typescript/bin/cli.js");
  await run(process.execPath, [generator, document, "--output", join(made.path, "api.d.ts")]);
  const options = { strict: true, target: "es2022", module: "nodenext", exactOptionalPropertyTypes: true };
  const config = { compilerOptions: { ...options, lib: ["es2023", "dom"], types: [] }, files: ["app.ts"] };
  writeFileSync(join(made.path, "tsconfig.json"), JSON.stringify(config));
  const compiled = await run(process.execPath, [packagePath("typescript/bin/tsc"), "-p", made.path]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  expect(compiled.stdout).toBe("");
  await using host = await startHost();
  const { stdout } = await run(process.execPath, [
    join(made.path, "app.js"),
    host.url,
    host.accessKey,
    host.secretKey,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    ping: true,
    refused: { status: 401, error: "Unauthorized", code: 1000 },
    bad: "WebrpcBadRequest",
  });
});
