import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, ridlkit } from "../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

service Pets
  - GetPet(id: uint64) => (name: string)
`;

let dir: Folder;
let server: Server | undefined;

beforeEach(() => {
  dir = folder({ "pets.ridl": schema });
});

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  dir[Symbol.dispose]();
});

async function serve(answer: RequestListener): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

test("where nobody answers, that is told once", async () => {
  const url = await serve((_, response) => response.end());
  await new Promise((done) => server?.close(done));
  const { code, err, out } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err.split("\n")[0]).toMatch(/^ridlkit: Nobody answers at http:.*ECONNREFUSED.*Start the server/);
});

test("a server that hangs is told of, and no call after its time is made", async () => {
  const called: string[] = [];
  const url = await serve(({ method, url: path }, response) => {
    if (method === "POST") called.push(path ?? "");
    else response.end();
  });
  const { code, err, out } = await ridlkit(["test", "--url", url, "--seconds", "1", "pets.ridl"], {
    cwd: dir.path,
  });
  expect({ code, called }).toEqual({ code: 1, called: ["/rpc/Pets/GetPet"] });
  expect(err).toContain("Pets.GetPet [");
  expect(out).toBe("1 call with seed 1: 1 finding\n");
});

test("an answer without an end is left, and told of", async () => {
  const part = Buffer.alloc(1024 * 1024, " ");
  let called = 0;
  const url = await serve(({ method }, response) => {
    if (method !== "POST" || ++called > 1) {
      response.end();
      return;
    }
    const write = (): void => {
      while (response.write(part));
    };
    response.writeHead(200, { "content-type": "application/json" }).on("drain", write);
    write();
  });
  const { code, err } = await ridlkit(["test", "--url", url, "--seconds", "1", "pets.ridl"], {
    cwd: dir.path,
  });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("longer than 33554432 bytes") });
});
