import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Returns the path of a program of the system that a test needs, or undefined if it is not installed: the test is then skipped
 * with a line that reports it. In CI it must be there. `aptPackage` installs it.
 */
export function findProgram(name: string, aptPackage: string = name): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const path = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (path !== undefined) return path;
  if (process.env["CI"] === "true")
    throw new Error(`${name} is not installed: apt-get install ${aptPackage}`);
  console.log(`${name} is not installed: what needs it is not tested`);
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}

export interface RunningProgram extends AsyncDisposable {
  readonly process: ChildProcess;
}

/** Runs a program until it is disposed of; it is ready when it listens on the port. As root it runs as nobody: some refuse else. */
export async function startProgram(
  path: string,
  args: readonly string[],
  port: number,
): Promise<RunningProgram> {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(path, args, { ...user, cwd: "/", stdio: "ignore" });
  const ended = once(child, "exit");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${path} ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    process: child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
