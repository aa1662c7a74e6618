/** The load balancers of server/deploy/, as operators run them, in front of two replicas on this machine. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, freePort, startProgram } from "../../support/helper-program.ts";
import { nginx, startNginx } from "../../support/nginx.ts";

/** Both use the same ports, as on machines of their own. Linux has all addresses of 127.0.0.0/8. */
export const replicaHosts = ["127.0.0.2", "127.0.0.3"] as const;

export interface ReplicaPorts {
  readonly port: number;
  readonly adminPort: number;
}

export interface Balancer {
  readonly name: string;
  /** Whether it asks replicas for /readyz. */
  readonly checksHealth: boolean;
  start(ports: ReplicaPorts): Promise<AsyncDisposable & { readonly url: string }>;
}

const haproxy = findOnLinux("haproxy");
const caddy = findOnLinux("caddy");

/** Those that are installed. */
export const balancers: readonly Balancer[] = [
  ...(process.platform !== "linux" || nginx === undefined
    ? []
    : [
        {
          name: "nginx",
          checksHealth: false,
          start: (ports: ReplicaPorts) =>
            startNginx(nginx ?? "", ({ address }) =>
              configOf("nginx.conf", ports).replace("listen 80;", `listen ${address};`),
            ),
        },
      ]),
  ...(haproxy === undefined
    ? []
    : [
        {
          name: "HAProxy",
          checksHealth: true,
          start: (ports: ReplicaPorts) =>
            startWithFile((file) => [haproxy, "-f", file], {
              file: "haproxy.cfg",
              ports,
              edit: (text, port) => text.replace("bind :80\n", `bind 127.0.0.1:${port}\n`),
            }),
        },
      ]),
  ...(caddy === undefined
    ? []
    : [
        {
          name: "Caddy",
          checksHealth: true,
          start: (ports: ReplicaPorts) =>
            startWithFile(
              // Its user has no home.
              (file) => [
                "/usr/bin/env",
                `HOME=${join(file, "..")}`,
                caddy,
                "run",
                "--adapter=caddyfile",
                `--config=${file}`,
              ],
              {
                file: "Caddyfile",
                ports,
                edit: (text, port) =>
                  `{\n\tadmin off\n}\n${text.replace(/^:80 \{$/m, `http://127.0.0.1:${port} {`)}`,
              },
            ),
        },
      ]),
];

function findOnLinux(name: string): string | undefined {
  return process.platform === "linux" ? findProgram(name) : undefined;
}

/** A file with the addresses of the replicas. */
function configOf(file: string, { port, adminPort }: ReplicaPorts): string {
  return readFileSync(new URL(`../../../server/deploy/${file}`, import.meta.url), "utf8")
    .replaceAll("platform-1", replicaHosts[0])
    .replaceAll("platform-2", replicaHosts[1])
    .replaceAll(":4000", `:${port}`)
    .replaceAll("4001", String(adminPort));
}

interface FileOptions {
  readonly file: string;
  readonly ports: ReplicaPorts;
  readonly edit: (text: string, port: number) => string;
}

async function startWithFile(
  command: (file: string) => readonly [string, ...string[]],
  { file, ports, edit }: FileOptions,
): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "balancer-"));
  // As root, the program runs as another user.
  chmodSync(folder, 0o777);
  const path = join(folder, file);
  writeFileSync(path, edit(configOf(file, ports), port));
  const [program, ...args] = command(path);
  const running = await startProgram(program, args, port);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
