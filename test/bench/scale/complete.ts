import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { writeProject } from "./compile.ts";
import type { Figure } from "./figure.ts";

const requests = 40;

/** Requests completion after `client.` of the largest client from tsserver, as an editor does. Wall time in milliseconds. */
export async function completeClient(folder: string): Promise<readonly Figure[]> {
  writeProject(folder);
  const file = join(folder, "app.ts");
  const text = 'import { Service0 } from "./plain/client.ts";\nconst client = new Service0("");\nclient.';
  writeFileSync(file, text);
  const server = spawn(process.execPath, [
    createRequire(import.meta.url).resolve("typescript/lib/tsserver.js"),
    "--disableAutomaticTypingAcquisition",
  ]);
  const lines = createInterface({ input: server.stdout });
  let sequence = 0;
  const send = (command: string, args: object): number => {
    server.stdin.write(`${JSON.stringify({ seq: ++sequence, type: "request", command, arguments: args })}\n`);
    return sequence;
  };
  const entriesOf = (id: number): Promise<number> =>
    new Promise((resolve) => {
      const onLine = (line: string): void => {
        if (!line.startsWith("{")) return;
        const message = JSON.parse(line) as {
          readonly request_seq?: number;
          readonly body?: { readonly entries?: readonly unknown[] };
        };
        if (message.request_seq !== id) return;
        lines.off("line", onLine);
        resolve(message.body?.entries?.length ?? 0);
      };
      lines.on("line", onLine);
    });
  try {
    send("open", { file, fileContent: text });
    const times: number[] = [];
    for (let request = 0; request <= requests; request++) {
      const started = performance.now();
      const entries = await entriesOf(
        send("completionInfo", { file, line: 3, offset: 8, includeExternalModuleExports: false }),
      );
      if (entries < 50) throw new Error(`the editor received only ${entries} names`);
      // The first request loads the project.
      if (request > 0) times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
    return [
      { description: `completion on the client: ${p95.toFixed(1)} ms wall at p95`, value: p95, limit: 100 },
    ];
  } finally {
    server.kill();
    await once(server, "exit");
  }
}
