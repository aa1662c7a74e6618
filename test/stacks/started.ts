/** Programs of other makers that serve, started and stopped. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { expect } from "vitest";
import type { Command } from "./recipes.ts";

export interface Started extends AsyncDisposable {
  /** Its standard error, where frameworks print errors of the application by default. */
  errors(): string;
}

/** Ends with all that it has started. */
export async function start(
  [program, ...args]: Command,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Started> {
  const filled = args.map((arg) => arg.replace("$PORT", env["PORT"] ?? ""));
  // A group of its own: some start more processes, which end with it.
  const child = spawn(program, filled, { cwd, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    errors: () => errors,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

/** Until a call with this body succeeds. */
export async function untilAnswered(url: string, body: object): Promise<void> {
  await expect
    .poll(() =>
      post(url, body).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
}

export function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
