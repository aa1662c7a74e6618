/** Commands that call HTTPS servers, with certificates that are trusted and others. */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeListener } from "../../../../generator/runtime/src/node.ts";
import { createServer } from "../../../fixtures/wire/generated/server.ts";
import { listen } from "../../../support/adapters.ts";
import { type Certificate, createCertificate, openssl } from "../../../support/certificates.ts";
import { watched, wireHandlers } from "../../../support/feed.ts";
import { type Folder, folder, type Outcome, ridlkit, ridlkitProcess } from "../../../support/program.ts";

const schema = resolve("test/fixtures/wire/schema.ridl");
const call = ["call", "EchoText", '{"text":"a"}', "--schema", schema];

describe.skipIf(openssl === undefined)("a server with HTTPS", () => {
  let dir: Folder;
  let authority: Certificate;
  let own: Certificate;
  let valid: Certificate;
  let listener: RequestListener;
  beforeAll(async () => {
    dir = folder({});
    const names = "IP:127.0.0.1,DNS:localhost";
    authority = createCertificate(join(dir.path, "authority"), { names: "DNS:authority" });
    own = createCertificate(join(dir.path, "own"), { names });
    valid = createCertificate(join(dir.path, "valid"), { names, authority });
    const { out: ir } = await ridlkit(["ir", schema]);
    const api = nodeListener(createServer(wireHandlers(watched())));
    listener = (request, response) => {
      if (request.url === "/schema.json") response.end(ir);
      else if (request.url === "/schema.ridl") response.end(readFileSync(schema));
      else api(request, response);
    };
  });
  afterAll(() => dir[Symbol.dispose]());

  /** Serves with a certificate, and runs a command with the server's URL. `more`: certificates to send as well. */
  async function runAt(
    { cert, key }: Certificate,
    words: (url: string) => readonly string[],
    { trusted, more = [] }: { readonly trusted?: Certificate; readonly more?: readonly Certificate[] } = {},
  ): Promise<Outcome> {
    const chain = [cert, ...more.map((one) => one.cert)].join("");
    const server = createHttpsServer({ cert: chain, key }, listener) as unknown as Server;
    await using running = await listen(server);
    const env = trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: `${trusted.path}.pem` };
    return await ridlkitProcess(words(`https://127.0.0.1:${running.port}`), { env });
  }

  const callAt = (url: string): readonly string[] => [...call, "--url", url];

  test("is called if NODE_EXTRA_CA_CERTS has its authority, or its certificate", async () => {
    const expected = { code: 0, out: '{"text":"a"}\n', err: "" };
    expect(await runAt(valid, callAt, { trusted: authority })).toEqual(expected);
    expect(await runAt(own, callAt, { trusted: own })).toEqual(expected);
  });

  test("publishes its contract", async () => {
    const words = (url: string) => ["call", "EchoText", '{"text":"a"}', "--url", url];
    expect(await runAt(valid, words, { trusted: authority })).toMatchObject({ code: 0, err: "" });
    const { code, err } = await runAt(valid, words);
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining("from an unknown authority") });
  });

  const toTrust = "set NODE_EXTRA_CA_CERTS to a PEM file with";

  test("with a self-signed certificate is not trusted", async () => {
    const { code, out, err } = await runAt(own, callAt);
    expect({ code, out, err: withoutPort(err) }).toEqual({
      code: 4,
      out: "",
      err: `ridlkit: No response from https://127.0.0.1:PORT: the certificate of 127.0.0.1 is self-signed and not trusted. To trust it, ${toTrust} the certificate.\n`,
    });
    const document = await runAt(own, (url) => [...callAt(url), "--format", "json"]);
    expect({ code: document.code, ...JSON.parse(document.out) }).toMatchObject({
      code: 4,
      ok: false,
      error: { cause: "the certificate of 127.0.0.1 is self-signed and not trusted" },
    });
  });

  test("with an unknown authority is not trusted", async () => {
    const leaf = await runAt(valid, callAt);
    expect({ code: leaf.code, err: withoutPort(leaf.err) }).toEqual({
      code: 4,
      err: `ridlkit: No response from https://127.0.0.1:PORT: the certificate of 127.0.0.1 is from an unknown authority, or the server sends no intermediate certificate. To trust the authority, ${toTrust} its certificate.\n`,
    });
    const chain = await runAt(valid, callAt, { more: [authority] });
    expect({ code: chain.code, err: withoutPort(chain.err) }).toEqual({
      code: 4,
      err: `ridlkit: No response from https://127.0.0.1:PORT: the certificate of 127.0.0.1 is from an authority that is not trusted. To trust it, ${toTrust} the certificate of the authority.\n`,
    });
  });

  test("with a certificate that has expired is not called", async () => {
    const path = join(dir.path, "expired");
    const expired = createCertificate(path, { names: "IP:127.0.0.1", authority, days: -1 });
    const { code, err } = await runAt(expired, callAt, { trusted: authority });
    expect({ code, err: withoutPort(err) }).toEqual({
      code: 4,
      err: "ridlkit: No response from https://127.0.0.1:PORT: the certificate of 127.0.0.1 has expired. Renew the certificate, or check the clock of this machine.\n",
    });
  });

  test("with a certificate for other names is not called", async () => {
    const path = join(dir.path, "other");
    const other = createCertificate(path, { names: "DNS:shop.example,DNS:www.shop.example", authority });
    const { code, err } = await runAt(other, callAt, { trusted: authority });
    expect({ code, err: withoutPort(err) }).toEqual({
      code: 4,
      err: "ridlkit: No response from https://127.0.0.1:PORT: the certificate of 127.0.0.1 is for other names: DNS:shop.example, DNS:www.shop.example. Use a name of the certificate in the URL.\n",
    });
  });

  test("is not called with http", async () => {
    const { code, err } = await runAt(valid, (url) => callAt(url.replace("https:", "http:")));
    expect({ code, err: withoutPort(err) }).toEqual({
      code: 4,
      err: "ridlkit: No response from http://127.0.0.1:PORT: the server closed the connection. If the server uses HTTPS, write https:// in the URL.\n",
    });
  });

  test("is tested, and read by breaking, with the same messages", async () => {
    const testWords = (url: string) => ["test", schema, "--read-only", "--url", url];
    const trusted = await runAt(valid, testWords, { trusted: authority });
    expect(trusted.out).toMatch(/^\d+ calls? /);
    const tested = await runAt(own, testWords);
    expect({ code: tested.code, err: withoutPort(tested.err) }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^ridlkit: No response from https:\/\/127.0.0.1:PORT: the certificate of 127.0.0.1 is self-signed and not trusted. To trust it, /,
      ),
    });
    const breakingWords = (url: string) => ["breaking", schema, "--against", `${url}/schema.ridl`];
    expect(await runAt(valid, breakingWords, { trusted: authority })).toMatchObject({ code: 0, err: "" });
    const read = await runAt(own, breakingWords);
    expect({ code: read.code, err: withoutPort(read.err) }).toEqual({
      code: 2,
      err: expect.stringContaining(
        `"https://127.0.0.1:PORT/schema.ridl" cannot be read: the certificate of 127.0.0.1 is self-signed and not trusted. To trust it, ${toTrust} the certificate.\n`,
      ),
    });
  });
});

test("a server without HTTPS is not called with https", async () => {
  await using running = await listen(createHttpServer((_, response) => response.end("{}")));
  const url = `https://127.0.0.1:${running.port}`;
  for (const words of [
    [...call, "--url", url],
    ["test", schema, "--url", url],
  ]) {
    const { err } = await ridlkit(words);
    expect(withoutPort(err)).toContain(
      "ridlkit: No response from https://127.0.0.1:PORT: 127.0.0.1 does not use HTTPS on this port. Try http:// in the URL.\n",
    );
  }
});

function withoutPort(text: string): string {
  return text.replaceAll(/(127\.0\.0\.1):\d+/g, "$1:PORT");
}
