import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, freePort, startProgram } from "./helper-program.ts";

/** Undefined if it is not installed. */
export const nginx: string | undefined = findProgram("nginx");

export interface RunningNginx extends AsyncDisposable {
  readonly url: string;
}

interface NginxPlace {
  /** Where it listens. */
  readonly address: string;
  /** A folder of its own. */
  readonly folder: string;
}

/** Starts nginx with a block `http`, and waits until it listens. */
export async function startNginx(
  program: string,
  http: (place: NginxPlace) => string,
): Promise<RunningNginx> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  // As root, the program runs as another user.
  chmodSync(folder, 0o777);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => {
    mkdirSync(join(folder, kind));
    chmodSync(join(folder, kind), 0o777);
    return `${kind}_temp_path ${join(folder, kind)};`;
  });
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off;
pid ${join(folder, "pid")};
error_log ${join(folder, "error.log")} warn;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join("\n  ")}
  ${http({ address, folder })}
}
`,
  );
  const running = await startProgram(program, ["-c", file, "-p", folder], port);
  return {
    url: `http://${address}`,
    async [Symbol.asyncDispose]() {
      // Killed at once, the master would leave its worker behind.
      const ended = once(running.process, "exit");
      if (running.process.kill("SIGTERM")) await ended;
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a cache that follows the headers of a host. Its responses have the header `X-Cache`: HIT, MISS, EXPIRED, REVALIDATED, …
 * Below `/forever` it keeps responses for ten minutes, whatever they say.
 */
export function startCache(program: string, hostUrl: string): Promise<RunningNginx> {
  const upstream = `proxy_pass ${hostUrl.replace("localhost", "127.0.0.1")}`;
  return startNginx(
    program,
    ({ address, folder }) => `
  proxy_cache_path ${join(folder, "kept")} levels=1 keys_zone=kept:10m inactive=10m;
  proxy_cache_path ${join(folder, "forever")} levels=1 keys_zone=forever:10m inactive=10m;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_cache_revalidate on;
  proxy_cache_lock on;
  add_header X-Cache $upstream_cache_status always;
  server {
    listen ${address};
    location / { ${upstream}; proxy_cache kept; }
    location /forever/ {
      ${upstream}/;
      proxy_cache forever;
      proxy_ignore_headers Cache-Control;
      proxy_cache_valid 200 10m;
    }
  }`,
  );
}
