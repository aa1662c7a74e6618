import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, ridlkit } from "../../../support/program.ts";

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

test("a server that does not respond is reported once", async () => {
  const url = await serve((_, response) => response.end());
  await new Promise((done) => server?.close(done));
  const { code, err, out } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err.split("\n")[0]).toMatch(/^ridlkit: No response from http:.*ECONNREFUSED.*Start the server/);
});

test("a URL without a scheme is refused with the URL that was meant", async () => {
  const { code, err } = await ridlkit(["test", "--url", "localhost:3000", "pets.ridl"], { cwd: dir.path });
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    'ridlkit: --url takes a URL such as http://localhost:3000; found "localhost:3000".',
  ]);
});

test("slow streams leave time for the other methods", async () => {
  const service = "service Pets\n  - Watch(id: uint64) => stream (name: string)\n  - GetPet(id: uint64)\n";
  using own = folder({ "pets.ridl": schema.replace(/service[\s\S]*/, service) });
  const url = await serve(({ url: path = "" }, response) => {
    if (!path.endsWith("Watch"))
      return void response.setHeader("content-type", "application/json").end('{"name":"a"}');
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write('{"name":"a"}\n');
    const timer = setInterval(() => response.write('{"name":"a"}\n'), 250);
    response.on("close", () => clearInterval(timer));
  });
  const { err } = await ridlkit(["test", "--url", url, "--format", "json", "pets.ridl"], { cwd: own.path });
  expect(err).not.toContain("time ran out");
}, 60_000);

test.each<[string, RequestListener, string]>([
  [
    "pages",
    (_, response) => void response.writeHead(501).end("<html>"),
    "the response with status 501 is not JSON",
  ],
  [
    "other errors",
    always(404, { message: "no" }),
    "the response with status 404 is not an error of the protocol",
  ],
])("another program on the port is reported in one line: %s", async (_case, listener, reason) => {
  const url = await serve(listener);
  const { code, err } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    `ridlkit: ${url} does not serve this API: ${reason}. Check --url.`,
  ]);
});

test("a method with an invalid success is not listed as returning only errors", async () => {
  let calls = 0;
  const url = await serve((request, response) => {
    const isRejected = request.method === "POST" && ++calls > 1;
    const error = { error: "WebrpcBadRequest", code: -4, msg: "bad", status: 400 };
    always(isRejected ? 400 : 200, isRejected ? error : { name: 5 })(request, response);
  });
  const { err } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect(err).toContain("Pets.GetPet [response-schema]");
  expect(err).not.toContain("only errors");
});

test("a call that the time limit cuts is no finding, and no call is made after the limit", async () => {
  const called: string[] = [];
  const url = await serve(({ method, url: path }, response) => {
    if (method === "POST") called.push(path ?? "");
    else response.end();
  });
  const { code, err, out } = await ridlkit(["test", "--url", url, "--seconds", "1", "pets.ridl"], {
    cwd: dir.path,
  });
  expect({ code, called }).toEqual({ code: 1, called: ["/rpc/Pets/GetPet"] });
  expect(err).toContain("Pets.GetPet was not reached: not called, because time ran out");
  expect(out).toBe("1 call (--seed 1): 0 findings, 1 unreached method\n");
});

test("JSON has the rule, the method, a text and the calls of each finding", async () => {
  const url = await serve(always(200, { name: 5 }));
  const { code, out } = await ridlkit(["test", "--url", url, "--format", "json", "pets.ridl"], {
    cwd: dir.path,
  });
  const { findings } = JSON.parse(out) as { readonly findings: readonly object[] };
  expect(code).toBe(1);
  expect(findings).toContainEqual({
    rule: "response-schema",
    method: "Pets.GetPet",
    text: expect.stringContaining("/name"),
    calls: expect.arrayContaining([
      { path: "/rpc/Pets/GetPet", body: expect.anything(), curl: expect.stringContaining(url) },
    ]),
  });
});

test("JSON has the verb and the path of calls on routes, with curl lines that a shell can run", async () => {
  const url = await serve(always(200, { name: 5 }));
  using routed = folder({
    "pets.ridl": `${schema.replace("(id: uint64)", "(id: uint64, tags: []string)")}    GET /pets/{id}
  - Rename(id: uint64, name: string) => (name: string)
    PUT /pets/{id}
  - Drop(id: uint64) => (name: string)
    DELETE /pets/{id}
`,
  });
  const { out } = await ridlkit(["test", "--url", url, "--format", "json", "pets.ridl"], {
    cwd: routed.path,
  });
  const { findings } = JSON.parse(out) as {
    readonly findings: readonly {
      readonly rule: string;
      readonly calls: readonly [{ readonly curl: string }];
    }[];
  };
  const calls = findings.filter(({ rule }) => rule === "response-schema").map((finding) => finding.calls);
  expect(calls).toEqual([
    [
      {
        verb: "GET",
        path: expect.stringMatching(/^[/]rpc[/]pets[/][0-9]+$/),
        curl: expect.stringMatching(`^curl -s ${url}/rpc/pets/[0-9]+$`),
      },
    ],
    [
      {
        verb: "PUT",
        path: expect.stringMatching(/^[/]rpc[/]pets[/][0-9]+$/),
        body: { id: expect.any(Number) },
        curl: expect.stringMatching(
          `^curl -s -X PUT ${url}/rpc/pets/[0-9]+ -H 'content-type: application/json' -d '{"id":[0-9]+}'$`,
        ),
      },
    ],
    [
      {
        verb: "DELETE",
        path: expect.stringMatching(/^[/]rpc[/]pets[/][0-9]+$/),
        curl: expect.stringMatching(`^curl -s -X DELETE ${url}/rpc/pets/[0-9]+$`),
      },
    ],
  ]);
  const bad = findings.filter(({ rule }) => rule === "rejects-invalid").flatMap((finding) => finding.calls);
  expect(bad.map(({ curl }) => curl)).toContainEqual(
    expect.stringMatching(`^curl -s '${url}/rpc/pets/[0-9-]+[?]tags=[^ ]+'$`),
  );
});

test("curl lines of findings about headers print the headers", async () => {
  const url = await serve(always(200, { name: "a" }));
  using cached = folder({ "pets.ridl": schema.replace("- GetPet", '@readonly @cache:"60s" - GetPet') });
  const { err } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: cached.path });
  expect(err).toMatch(
    new RegExp(`^Pets.GetPet \\[cache-headers\\]: .*\n    curl -s -i '${url}/rpc/Pets/GetPet[?]q=`, "m"),
  );
});

test("a method on a route that gets 405 is unreached, and its verb is named", async () => {
  const url = await serve(
    always(405, { error: "WebrpcBadMethod", code: -3, msg: "bad method", status: 405 }),
  );
  using routed = folder({ "pets.ridl": `${schema}    GET /pets/{id}\n` });
  const { code, err } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: routed.path });
  expect(code).toBe(1);
  expect(err).toContain(
    "Pets.GetPet was not reached: only 405 WebrpcBadMethod\n    Make the server accept GET at this path.\n",
  );
});

test("an endless response is cut off and reported", async () => {
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
  const { code, err } = await ridlkit(["test", "--url", url, "--seconds", "10", "pets.ridl"], {
    cwd: dir.path,
  });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("longer than 33554432 bytes") });
});

const keyed = schema
  .replace("service Pets\n  - GetPet", 'service Pets\n  @auth:"key" - GetPet')
  .replace("service Pets", 'error 1 Unauthorized "who are you" HTTP 401\n\nservice Pets');

/** Answers every call with one response. */
function always(status: number, body: object): RequestListener {
  return (_, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const unauthorized = always(401, { error: "Unauthorized", code: 1, msg: "who are you", status: 401 });

const configured = JSON.stringify({
  schemas: [
    {
      entry: "pets.ridl",
      out: "generated",
      openapi: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Access-Key" } } },
    },
  ],
});

async function testKeyed(listener: RequestListener, ...args: string[]): ReturnType<typeof ridlkit> {
  using keyedDir = folder({ "pets.ridl": keyed, "ridlkit.config.json": configured });
  return await ridlkit(["test", "--url", await serve(listener), ...args], { cwd: keyedDir.path });
}

test("a method that only returned 401 is named, with the header that it needs", async () => {
  const { code, err, out } = await testKeyed(unauthorized);
  expect({ code, err }).toEqual({
    code: 1,
    err: "Pets.GetPet was not reached: only 401 Unauthorized\n    Pass credentials: --header 'X-Access-Key: …'\n",
  });
  expect(out).toMatch(/^\d+ calls \(--seed 1\): 0 findings, 1 unreached method\n$/);
});

test("without a configured header the credential is named", async () => {
  const { err } = await testKeyed(unauthorized, "pets.ridl");
  expect(err).toContain("Pass credentials (key): --header 'NAME: …'\n");
});

test("a credential that was sent and refused is named", async () => {
  const { code, err } = await testKeyed(unauthorized, "--header", "X-Access-Key: old");
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      "X-Access-Key did not grant access: check the permissions of the credential.\n",
    ),
  });
});

test("--allow-unreached exits with 0 and still names the method", async () => {
  const { code, err } = await testKeyed(unauthorized, "--allow-unreached");
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("Pets.GetPet was not reached") });
});

test("JSON has unreached methods with reason and help", async () => {
  const { code, out } = await testKeyed(unauthorized, "--format", "json");
  const { ok, findings, unreached, onlyErrors } = JSON.parse(out) as Record<string, unknown>;
  expect({ code, ok, findings, unreached, onlyErrors }).toEqual({
    code: 1,
    ok: false,
    findings: [],
    unreached: [
      {
        method: "Pets.GetPet",
        reason: "only 401 Unauthorized",
        help: "Pass credentials: --header 'X-Access-Key: …'",
      },
    ],
    onlyErrors: [],
  });
});

test.each([
  [
    "an unknown route",
    always(404, { error: "WebrpcBadRoute", code: -2, msg: "bad route", status: 404 }),
    "only 404 WebrpcBadRoute\n    The server does not have this method: check --url and the schema version of the server.\n",
  ],
  [
    "a rate limit",
    always(429, { error: "RateLimited", code: 2, msg: "slow down", status: 429 }),
    "only 429 RateLimited\n    Raise the server's rate limits for the test, or run the test later.\n",
  ],
])("%s reaches no method", async (_case, listener, says) => {
  using limitedDir = folder({
    "pets.ridl": schema.replace("service", 'error 2 RateLimited "slow down" HTTP 429\n\nservice'),
  });
  const { code, err } = await ridlkit(["test", "--url", await serve(listener), "pets.ridl"], {
    cwd: limitedDir.path,
  });
  expect({ code, err }).toEqual({ code: 1, err: `Pets.GetPet was not reached: ${says}` });
});

test("a method that time did not suffice for is named", async () => {
  using two = folder({ "pets.ridl": `${schema}  - Late()\n` });
  const url = await serve(({ method }, response) => {
    if (method !== "POST") response.end();
  });
  const { code, err } = await ridlkit(["test", "--url", url, "--seconds", "1", "pets.ridl"], {
    cwd: two.path,
  });
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      "Pets.Late was not reached: not called, because time ran out\n    Allow more time with --seconds.\n",
    ),
  });
});

test("a method that only returned errors of its own is reached, and named", async () => {
  using own = folder({
    "pets.ridl": schema.replace("service", 'error 1 NoPet "no pet" HTTP 404\n\nservice'),
  });
  const url = await serve(always(404, { error: "NoPet", code: 1, msg: "no pet", status: 404 }));
  expect(await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: own.path })).toMatchObject({
    code: 0,
    err: "Pets.GetPet returned only errors: only 404 NoPet\n",
  });
});

test("a response is held to formats of the schema, and to real dates", async () => {
  using formats = folder({
    "pets.ridl": schema.replace(
      "(name: string)",
      "(pet: Pet)\n\nstruct Pet\n  - mail: string\n    + format = email\n  - born: timestamp\n  - mood: string\n    + format = our-own",
    ),
  });
  const pet = { mail: "tom@mail.example", born: "2026-02-28T00:00:00Z", mood: "any" };
  const testWith = async (changed: object): Promise<string> => {
    server?.close();
    const url = await serve(always(200, { pet: { ...pet, ...changed } }));
    return (await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: formats.path })).err;
  };
  expect(await testWith({})).not.toContain("response-schema");
  expect(await testWith({ mail: "tom at mail" })).toContain('/pet/mail must match format "email"');
  expect(await testWith({ born: "2026-02-29T00:00:00Z" })).toContain(
    '/pet/born must match format "date-time"',
  );
});
