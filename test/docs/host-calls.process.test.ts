import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyText } from "../../server/host/ready.ts";
import { blocksOf, pages, root } from "../support/docs.ts";
import { type Data, makeData, type RunningHost, startHost } from "../support/host.ts";

/** Calls and commands of all pages, run against a platform. */
const shellBlocks = pages()
  .flatMap(blocksOf)
  .filter(({ language }) => language === "sh");
const blocks = shellBlocks.filter(({ text }) => /^curl .*127[.]0[.]0[.]1:4000/m.test(text));
const commands = shellBlocks.filter(({ text }) => /^npx platform /m.test(text));

let data: Data;
let host: RunningHost;
beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

test("the pages have calls and commands", () => {
  expect(blocks).not.toEqual([]);
  expect(commands).not.toEqual([]);
});

test.each(commands)("the commands at $page:$line work next to a running host", ({ text }) => {
  const program = `${process.execPath} ${join(root, "server/dist/platform.js")}`;
  const script = text.replaceAll(/^npx platform /gm, `${program} `);
  const env = { ...process.env, ...data.env, DATA_DIR: data.folder };
  expect(() => execFileSync("bash", ["-e", "-c", script], { env, stdio: "pipe" })).not.toThrow();
});

test.each(blocks)("the calls at $page:$line succeed", ({ text }) => {
  const { accessKey, secretKey, url } = host;
  const script = text
    .replaceAll("http://127.0.0.1:4000", url)
    .replaceAll(/^curl -s /gm, "curl -sS --fail-with-body ");
  const answers = execFileSync("bash", ["-e", "-c", script], {
    encoding: "utf8",
    env: { ...process.env, ACCESS_KEY: accessKey, SECRET_KEY: secretKey },
  });
  expect(answers).not.toContain('"error"');
});

test("the call that the host prints at its start succeeds", () => {
  const call = /^ {2}curl .*/ms.exec(readyText(host))?.[0] ?? "";
  expect(execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" })).toBe('{"isValid":true}');
});
