/** A mock as a process, for tests of its page. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../support/docs.ts";
import { start } from "../support/program.ts";

export interface RunningMock extends AsyncDisposable {
  readonly url: string;
}

export async function startMock(schema: string, ...more: string[]): Promise<RunningMock> {
  const args = ["mock", schema, "--port", "0", "--format", "json", "--item-delay", "10ms", ...more];
  const mock = start(args, { cwd: root, timeoutMs: 290_000 });
  const stop = async (): Promise<void> => {
    if (mock.exitCode !== null) return;
    const ended = once(mock, "close");
    mock.kill("SIGKILL");
    await ended;
  };
  for await (const line of createInterface({ input: mock.stdout as NodeJS.ReadableStream }))
    return { url: (JSON.parse(line) as { url: string }).url, [Symbol.asyncDispose]: stop };
  throw new Error(`${schema} is not served`);
}
