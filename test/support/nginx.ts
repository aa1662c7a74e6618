/** nginx as a shared cache in front of a host. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, freePort, startProgram } from "./helper-program.ts";

/** Undefined if it is not installed. */
export const nginx: string | undefined = findProgram("nginx");

export interface Cache extends AsyncDisposable {
  /** Its responses have the header `X-Cache`: HIT, MISS, EXPIRED, REVALIDATED, … */
  readonly url: string;
}

/** Starts a cache that follows the headers of a host. Below `/forever` it keeps responses for ten minutes, whatever they say. */
export async function startCache(program: string, hostUrl: string): Promise<Cache> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "cache-"));
  // As root, the program runs as another user.
  chmodSync(folder, 0o777);
  const file = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => {
    mkdirSync(join(folder, kind));
    chmodSync(join(folder, kind), 0o777);
    return `${kind}_temp_path ${join(folder, kind)};`;
  });
  const upstream = `proxy_pass ${hostUrl.replace("localhost", "127.0.0.1")}`;
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
  proxy_cache_path ${join(folder, "kept")} levels=1 keys_zone=kept:10m inactive=10m;
  proxy_cache_path ${join(folder, "forever")} levels=1 keys_zone=forever:10m inactive=10m;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_cache_revalidate on;
  proxy_cache_lock on;
  add_header X-Cache $upstream_cache_status always;
  server {
    listen 127.0.0.1:${port};
    location / { ${upstream}; proxy_cache kept; }
    location /forever/ {
      ${upstream}/;
      proxy_cache forever;
      proxy_ignore_headers Cache-Control;
      proxy_cache_valid 200 10m;
    }
  }
}
`,
  );
  const running = await startProgram(program, ["-c", file, "-p", folder], port);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      running.process.kill("SIGTERM");
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
