import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, root } from "../support/docs.ts";
import { type Data, makeData, type RunningHost, startHost } from "../support/host.ts";
import { ask } from "../support/operator.ts";
import { noSandbox } from "../support/sandbox.ts";

const blocks = blocksOf("docs/platform/webhooks.md").filter(({ language }) => language === "js");
const registers = blocks.find(({ text }) => text.includes("AddWebhookListener"))?.text ?? "";
const streams = blocks.find(({ text }) => text.includes("subscribeEvents"))?.text ?? "";
const receives = blocks.find(({ text }) => text.includes("createServer"))?.text ?? "";

let data: Data;
let host: RunningHost;
let folder = "";
let receiver: ChildProcess | undefined;
let reader: ChildProcess | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-webhooks-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  data = await makeData();
  if (!noSandbox) host = await startHost({ data, args: ["--sandbox-chain"] });
});
afterAll(async () => {
  receiver?.kill();
  reader?.kill();
  await host?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test.skipIf(noSandbox)(
  "the receiver of docs/platform/webhooks.md verifies the calls that its listener gets, and its stream has the same event",
  async () => {
    const port = await freePort();
    const onPort = (text: string): string => text.replace("8080", String(port));
    const names = ["url", "accessKey", "secretKey", "contract"];
    const { rpcUrl = "", tokens } = host.localChain ?? {};
    const register = new Function(...names, `return (async () => { ${onPort(registers)} return secret; })()`);
    const secret = (await register(host.url, host.accessKey, host.secretKey, tokens?.USD)) as string;
    writeFileSync(join(folder, "receiver.mjs"), onPort(receives));
    const [url, accessKey] = [host.url, host.accessKey];
    const settings = Object.entries({ url, accessKey, contract: tokens?.USD });
    writeFileSync(
      join(folder, "stream.mjs"),
      [...settings.map(([name, value]) => `const ${name} = "${value}";`), streams].join("\n"),
    );
    reader = spawn(process.execPath, [join(folder, "stream.mjs")]);
    let streamed = "";
    reader.stdout?.on("data", (chunk) => {
      streamed += chunk;
    });
    let out = "";
    receiver = spawn(process.execPath, [join(folder, "receiver.mjs")], {
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    receiver.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST" }).then(
        (res) => res.status,
        () => 0,
      );
    await expect.poll(isUp, { timeout: 120_000 }).toBe(400);
    await expect.poll(() => openStreams(host), { timeout: 120_000 }).toBe(1);
    const [from, to] = [
      "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    ];
    const data = `0xa9059cbb${to?.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
    await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_sendTransaction",
        params: [{ from, to: tokens?.USD, data }],
      }),
    });
    await expect.poll(() => out, { timeout: 120_000 }).toContain(to);
    expect(out).toContain("BLOCK_ADDED Transfer(address,address,uint256)");
    await expect.poll(() => streamed, { timeout: 120_000 }).toMatch(/^BLOCK_ADDED \d+ \[/);
    expect(streamed).toContain(to);
  },
  120_000,
);

test.skipIf(noSandbox)("the keys of docs/platform/deploying.md register a listener", async () => {
  const texts = blocksOf("docs/platform/deploying.md").map(({ text }) => text);
  const commands =
    texts.find((text) => text.includes("keys create"))?.match(/(?<=^npx platform ).*$/gm) ?? [];
  const curl =
    /^curl [\s\S]*/m.exec(texts.find((text) => text.includes("AddWebhookListener")) ?? "")?.[0] ?? "";
  const created: Record<string, string>[] = [];
  for (const command of commands) created.push(await ask(data, ...command.split(" ")));
  const keys = created.flatMap(({ accessKey }) => accessKey ?? []);
  const account = created.at(-1)?.["account"] ?? "";
  const { secretKey } = await ask<{ secretKey: string }>(data, "secrets", "create", account);
  const script = curl
    .replace("https://api.example/polygon", `${host.url}/31337`)
    .replace("https://hooks.example/platform", "http://127.0.0.1:8080/")
    .replace("0x…", host.localChain?.tokens.USD ?? "");
  const answers = keys.map((accessKey) => {
    const env = { PATH: process.env["PATH"], ACCESS_KEY: accessKey, SECRET_KEY: secretKey };
    return JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8", env, stdio: "pipe" }));
  });
  expect(answers).toEqual([
    expect.objectContaining({ status: 403 }),
    expect.objectContaining({ secret: expect.stringMatching(/^whsec_/) }),
  ]);
});

async function openStreams({ adminUrl }: RunningHost): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^platform_event_streams (\d+)$/m.exec(metrics)?.[1]);
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
