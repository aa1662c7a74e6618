/** The files of docs/deploying.md: they fit a new project and each other, and nginx passes on streams and large bodies. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { koa } from "../../generator/tools/init/stacks/koa.ts";
import { blocksOf } from "../support/docs.ts";
import { nginx, startNginx } from "../support/nginx.ts";

const textOf = (name: string): string =>
  blocksOf("docs/deploying.md").find(({ file, text }) => file === name || text.startsWith(`# ${name}\n`))
    ?.text ?? "";

test("the Dockerfile builds and starts a new project", () => {
  const text = textOf("Dockerfile");
  const scripts = [...text.matchAll(/npm run (\w+)/g)].map(([, name = ""]) => name);
  expect(scripts).toEqual(["build"]);
  expect(koa.scripts).toHaveProperty("build");
  const [, started = "[]"] = /^CMD (.*)$/m.exec(text) ?? [];
  expect((JSON.parse(started) as string[]).join(" ")).toBe(koa.scripts["start"]);
});

test("all files name the port of a new project", () => {
  const [, port] = /PORT"\] \?\? (\d+)/.exec(koa.files["main.ts"] ?? "") ?? [];
  expect(port).toBe("3000");
  expect(textOf("Dockerfile")).toContain(`EXPOSE ${port}\n`);
  expect(textOf("nginx.conf")).toContain(`proxy_pass http://127.0.0.1:${port};`);
  expect(textOf("fly.toml")).toContain(`internal_port = ${port}\n`);
});

test.skipIf(nginx === undefined)("nginx passes items on at once, and large bodies", async () => {
  let received = 0;
  let finish = (): void => undefined;
  const server = createServer((req, res) => {
    expect(req.headers["x-forwarded-for"]).toBe("127.0.0.1");
    req.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    req.on("end", () => {
      res.write('{"item":1}\n');
      finish = () => res.end('{"item":2}\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const proxy = await startNginx(nginx ?? "", ({ address }) =>
    textOf("nginx.conf")
      .replace("listen 80;", `listen ${address};`)
      .replace("127.0.0.1:3000", `127.0.0.1:${port}`),
  );
  try {
    const body = "x".repeat(2 * 1024 * 1024);
    const response = await fetch(`${proxy.url}/rpc/Shop/Watch`, { method: "POST", body });
    expect(received).toBe(body.length);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"item":1}\n');
    finish();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"item":2}\n');
  } finally {
    await proxy[Symbol.asyncDispose]();
    server.close();
  }
});
