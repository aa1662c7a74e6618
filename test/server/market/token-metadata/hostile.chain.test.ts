/** Hostile metadata: each token gets its own reason, and none blocks another. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Outbound } from "../../../../server/base/outbound/outbound.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { anvilPath, startAnvil } from "../../../../server/chain/sandbox/anvil.ts";
import { TransactionBatch } from "../../../../server/chain/sandbox/transaction-batch.ts";
import { TokenReader } from "../../../../server/market/token-metadata/reader.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { deployContract, testContract } from "../../../support/test-contracts.ts";
import { listenTrap, type Trap } from "../../../support/trap.ts";

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const limits = { maxDocumentMs: 4_000, maxDocumentBytes: 1_048_576, maxRedirects: 3 };

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

function json(res: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}): void {
  res.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
}

/** A header of 65,535 by 65,535 pixels: 17 GB if decoded. */
const pngBomb = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.from("0000ffff0000ffff0806000000", "hex"),
]).toString("base64");
/** Nested entities, ten of each, nine levels deep: a billion strings. */
const svgBomb = `<!DOCTYPE svg [<!ENTITY a0 "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("")}]><svg>&a9;</svg>`;

/** The response of each path. */
const answers: Readonly<Record<string, Answer>> = {
  "/good": (_, res) =>
    json(
      res,
      '{"name":"Good","image":"https://x.example/a/1.png","attributes":[{"trait_type":"A","value":1}]}',
    ),
  "/announced-gigabyte": (_, res) => {
    res.writeHead(200, { "content-type": "application/json", "content-length": 2 ** 30 });
    res.write("{");
  },
  "/gigabyte": (_, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(65_536, " ");
    const more = (): void => {
      while (!res.destroyed && res.write(chunk));
      if (!res.destroyed) res.once("drain", more);
    };
    more();
  },
  "/drip": (_, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => res.write(" "), 100);
    res.on("close", () => clearInterval(timer));
  },
  "/silence": () => {},
  "/page": (_, res) => res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>"),
  "/page-as-json": (_, res) => json(res, "<!doctype html><p>"),
  "/deep": (_, res) => json(res, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  "/deep-in-text": (_, res) => json(res, JSON.stringify({ name: "[".repeat(1_000) })),
  "/no-utf8": (_, res) => json(res, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  "/nul": (_, res) => json(res, '{"name":"a\\u0000b"}'),
  "/half": (_, res) => json(res, '{"name":"\\ud800"}'),
  "/list": (_, res) => json(res, "[]"),
  "/bomb": (_, res) => json(res, gzipSync(Buffer.alloc(10_000_000)), { "content-encoding": "gzip" }),
  "/gzip": (_, res) => json(res, gzipSync('{"name":"Small"}'), { "content-encoding": "gzip" }),
  "/html-type": (_, res) => res.writeHead(200, { "content-type": "text/html" }).end('{"name":"Typed"}'),
  "/picture": (_, res) => res.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(100)),
  // Files are not decoded: they are referenced, or passed on as text.
  "/image-bomb": (_, res) =>
    json(
      res,
      JSON.stringify({ name: "Bomb", image: `data:image/png;base64,${pngBomb}`, image_data: svgBomb }),
    ),
  "/inside": (_, res) => res.writeHead(302, { location: "http://10.0.0.1/secret" }).end(),
  "/loop": (_, res) => res.writeHead(302, { location: "/loop" }).end(),
  "/moved": (_, res) => res.writeHead(301, { location: "/good" }).end(),
  "/file": (_, res) => res.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/broken": (_, res) => res.destroy(),
  "/gone": (_, res) => res.writeHead(404).end(),
  "/huge-fields": (_, res) =>
    json(
      res,
      JSON.stringify({ name: "n".repeat(5_000), description: "d".repeat(100_000), decimals: 1e9, image: 7 }),
    ),
};

const reasons: Readonly<Record<string, RegExp | null>> = {
  "/good": null,
  "/announced-gigabyte": /longer than 1048576 bytes/,
  "/gigabyte": /longer than 1048576 bytes/,
  "/drip": /no response in time/,
  "/silence": /no response in time/,
  "/page": /an HTML page, not JSON; its type is "text\/html"/,
  "/page-as-json": /an HTML page, not JSON/,
  "/deep": /nested more than 32 levels deep/,
  "/deep-in-text": null,
  "/no-utf8": null,
  "/nul": null,
  "/half": null,
  "/list": /not a JSON object/,
  "/bomb": /longer than 1048576 bytes/,
  "/gzip": null,
  "/html-type": null,
  "/picture": /image\/png/,
  "/image-bomb": null,
  "/inside": /10\.0\.0\.1 is not a public address/,
  "/loop": /more than 3 redirects/,
  "/moved": null,
  "/file": /must start with http: or https:/,
  "/broken": /the connection failed/,
  "/gone": /status 404/,
  "/huge-fields": null,
};

const cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";

interface Row {
  readonly address: string;
  readonly token_id: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly failures: number;
  readonly due: boolean;
}

describe.skipIf(noSandbox)("the metadata of tokens", () => {
  const opened: AsyncDisposable[] = [];
  let database: Database;
  let batch: TransactionBatch;
  let origin = "";
  let trap: Trap;
  let dependencies: Omit<ConstructorParameters<typeof TokenReader>[0], "limits">;
  const faults: unknown[] = [];

  beforeAll(async () => {
    const program = anvilPath();
    if (program === undefined) return;
    const anvil = kept(await startAnvil(program, 31_337));
    batch = await TransactionBatch.open(anvil.rpcUrl, account);
    const server = kept(await migratedDatabase());
    database = kept(
      openDatabase(
        { connectionString: server.url },
        { connections: 4, statementTimeoutMs: 8_000, namedStatements: true },
      ),
    );
    const site = createServer((req, res) => {
      const { pathname } = new URL(req.url ?? "/", "http://x");
      if (pathname.startsWith("/many/")) return json(res, `{"name":"Token ${pathname.slice(6)}"}`);
      const answer = answers[pathname];
      if (answer === undefined) return json(res, JSON.stringify({ name: pathname }));
      answer(req, res);
    });
    await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
    opened.push({
      [Symbol.asyncDispose]: async () => {
        site.closeAllConnections();
        site.close();
      },
    });
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    trap = await listenTrap();
    opened.push({ [Symbol.asyncDispose]: () => trap.close() });
    const { networks } = readNetworks({
      networks: ["31337"],
      rpcUrls: [`31337=${anvil.rpcUrl}`],
      networkDetails: undefined,
    });
    const chains = new Chains();
    dependencies = {
      database,
      outbound: kept(new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: ["1-65535"] })),
      chainOf: (chainId) => chains.of(new Networks(networks).find(chainId) ?? fail()),
      gateways: { ipfsGateway: `${origin}/ipfs/`, arweaveGateway: undefined },
      events: { read: () => {}, failed: (err) => faults.push(err) },
    };
  });
  afterAll(async () => {
    for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
  });

  function kept<Opened extends AsyncDisposable>(one: Opened): Opened {
    opened.push(one);
    return one;
  }

  async function queue(address: string, first: number, count: number): Promise<void> {
    await database.query(
      "insert into collection (chain_id, address) values (31337, $1) on conflict do nothing",
      [address.toLowerCase()],
    );
    await database.query(
      `with token as (
         insert into collectible (collection_id, token_id)
         select collection.id, token_id from collection, generate_series($2::int, $3::int) as token_id where address = $1 returning id
       )
       insert into token_read (collectible_id, due_at) select id, now() from token`,
      [address.toLowerCase(), first, first + count - 1],
    );
  }

  async function rows(address: string): Promise<readonly Row[]> {
    return database.query<Row>(
      `select address, token_id::text, name, status, reason, failures, due_at is not null as due
       from token_read join collectible on collectible.id = collectible_id join collection on collection.id = collection_id
       where address = $1 order by collectible.token_id`,
      [address.toLowerCase()],
    );
  }

  async function untilRead(address: string, timeout: number): Promise<readonly Row[]> {
    const unread = async () =>
      (
        await database.query(
          `select from token_read join collectible on collectible.id = collectible_id join collection on collection.id = collection_id
           where address = $1 and read_at is null`,
          [address.toLowerCase()],
        )
      ).length;
    await expect.poll(unread, { timeout, interval: 100 }).toBe(0);
    return rows(address);
  }

  test("yields metadata or a reason, token by token", async () => {
    const token = await deployContract(batch, "DescribedToken");
    const { abi } = testContract("DescribedToken");
    const base64 = Buffer.from('{"name":"Inline"}').toString("base64");
    const others: readonly (readonly [string, string | RegExp])[] = [
      [`data:application/json;base64,${base64}`, "Inline"],
      ['data:application/json;utf8,{"name":"100% plain"}', "100% plain"],
      ["data:application/json,%7B%22name%22%3A%22escaped%22%7D", "escaped"],
      ["data:text/html,<p>", /the document is not JSON/],
      [`http://127.0.0.1:1/ipfs/${cid}/2.json`, `/ipfs/${cid}/2.json`],
      [cid, `/ipfs/${cid}`],
      ["ipfs://QmX/1.json", "/ipfs/QmX/1.json"],
      ["ipfs://ipfs/QmY", "/ipfs/QmY"],
      ["ipfs://QmX/../../secret", /contains \. or \.\./],
      ["gopher://x", /unsupported URI/],
      ["http://169.254.169.254/latest", /is not a public address/],
      ["http://user:secret@127.0.0.1/", /a user or a password/],
    ];
    const paths = Object.keys(reasons);
    const uris = [...paths.map((path) => origin + path), ...others.map(([uri]) => uri)];
    for (const [id, uri] of uris.entries())
      batch.call({ to: token, abi, functionName: "mint", args: [account, id, uri] });
    await batch.mine();
    await queue(token, 0, uris.length);
    await using _reader = new TokenReader({ ...dependencies, limits });
    const read = await untilRead(token, 40_000);
    for (const [id, path] of paths.entries()) {
      const reason = reasons[path];
      const row = read[id];
      if (reason === null || reason === undefined)
        expect(row, path).toMatchObject({ status: "AVAILABLE", reason: null, failures: 0, due: false });
      else {
        expect(row, path).toMatchObject({ status: "NOT_AVAILABLE", due: true });
        expect(row?.reason, path).toMatch(reason);
      }
    }
    for (const [index, [uri, wanted]] of others.entries()) {
      const row = read[paths.length + index];
      if (typeof wanted === "string") expect(row?.name, uri).toBe(wanted);
      else expect(row?.reason, uri).toMatch(wanted);
    }
    expect(read[paths.indexOf("/image-bomb")]?.name).toBe("Bomb");
    expect(read[paths.indexOf("/gzip")]?.name).toBe("Small");
    expect(read[paths.indexOf("/html-type")]?.name).toBe("Typed");
    expect(read[paths.indexOf("/nul")]?.name).toBe("ab");
    expect(read[paths.indexOf("/huge-fields")]?.name).toBe("n".repeat(200));
    expect(faults).toEqual([]);
  });

  test("of hostile contracts leaks no connection and affects no other token", async () => {
    const bad = [
      await deployContract(batch, "OffchainLookup", [`${trap.url}/{sender}/{data}`]),
      await deployContract(batch, "Megabytes"),
      await deployContract(batch, "Endless"),
      "0x00000000000000000000000000000000000000aa",
    ];
    const good = await deployContract(batch, "DescribedToken");
    batch.call({
      to: good,
      abi: testContract("DescribedToken").abi,
      functionName: "setBase",
      args: [`${origin}/many/`],
    });
    await batch.mine();
    for (const address of bad) await queue(address, 0, 3);
    await queue(good, 0, 20);
    await using _reader = new TokenReader({ ...dependencies, limits });
    expect((await untilRead(good, 60_000)).every(({ status }) => status === "AVAILABLE")).toBe(true);
    for (const address of bad)
      for (const row of await untilRead(address, 60_000))
        expect(row).toMatchObject({
          status: "NOT_AVAILABLE",
          failures: 1,
          due: true,
          reason: "the contract returns no tokenURI or uri for this token",
        });
    expect(trap.connections()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("of 1,000 tokens is read with bounded concurrency and memory, by two readers that share the work", async () => {
    const token = await deployContract(batch, "DescribedToken");
    batch.call({
      to: token,
      abi: testContract("DescribedToken").abi,
      functionName: "setBase",
      args: [`${origin}/many/`],
    });
    await batch.mine();
    await queue(token, 0, 1_000);
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    let documents = 0;
    let tokens = 0;
    let heap = 0;
    let reads = 0;
    const events = { ...dependencies.events, read: () => void reads++ };
    const startedAt = process.cpuUsage();
    await using first = new TokenReader({ ...dependencies, events, limits });
    await using second = new TokenReader({ ...dependencies, events, limits });
    const timer = setInterval(() => {
      for (const load of [first.load(), second.load()]) {
        documents = Math.max(documents, load.documents);
        tokens = Math.max(tokens, load.tokens);
      }
      heap = Math.max(heap, process.memoryUsage().heapUsed - before);
    }, 5);
    const read = await untilRead(token, 150_000);
    clearInterval(timer);
    const { user, system } = process.cpuUsage(startedAt);
    console.info(
      `1,000 tokens: ${((user + system) / 1e6).toFixed(1)} s of CPU, at most ${documents} documents and ${tokens} tokens a reader, ${(heap / 2 ** 20).toFixed(0)} MiB of heap, ${reads} readings`,
    );
    expect(read.every(({ name, token_id }) => name === `Token ${token_id}`)).toBe(true);
    expect(documents).toBeLessThanOrEqual(32);
    expect(tokens).toBeLessThanOrEqual(200);
    expect(heap).toBeLessThan(200 * 2 ** 20);
    expect(reads).toBe(1_000);
  });
});

function fail(): never {
  throw new Error("no such network");
}
