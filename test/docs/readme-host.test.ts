import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyText } from "../../server/ready.ts";
import { blocksOf, pages } from "../support/docs.ts";
import { type RunningHost, startHost } from "../support/host.ts";

/** Calls of a host that runs as the README says, each line of them answered. */
const blocks = pages()
  .flatMap(blocksOf)
  .filter(({ language, text }) => language === "sh" && /^curl .*127[.]0[.]0[.]1:4000/m.test(text));

let host: RunningHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host[Symbol.asyncDispose]());

test("there are such calls", () => {
  expect(blocks).not.toEqual([]);
});

test.each(blocks)("the calls at $page:$line are answered", ({ text }) => {
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

test("the call that the host prints at its start is answered", () => {
  const call = /^ {2}curl .*/ms.exec(readyText(host))?.[0] ?? "";
  expect(execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" })).toBe('{"isValid":true}');
});
