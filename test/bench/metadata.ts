/** `npm run bench -- metadata`: reads the metadata of 10,000 tokens with two readers that share the queue, and checks their peak load. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Outbound } from "../../server/base/outbound/outbound.ts";
import type { Queries } from "../../server/base/storage/database.ts";
import { migrate } from "../../server/base/storage/migrate.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import { Chains } from "../../server/chain/rpc/chains.ts";
import { anvilPath, startAnvil } from "../../server/chain/sandbox/anvil.ts";
import { TransactionBatch } from "../../server/chain/sandbox/transaction-batch.ts";
import { readingLimits } from "../../server/market/token-metadata/limits.ts";
import { TokenReader } from "../../server/market/token-metadata/reader.ts";
import { localNetwork } from "../support/local-network.ts";
import { emptyDatabase } from "../support/server.ts";
import { deployContract, testContract } from "../support/test-contracts.ts";
import type { Benchmark } from "./benchmark.ts";

const count = 10_000;
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** Limits of a reader: concurrent documents and claimed tokens; and the memory of both readers. */
const bounds = { documents: 32, tokens: 200, mebibytes: 200 };

export const benchMetadata: Benchmark = async () => {
  const program = anvilPath();
  if (program === undefined) return ["the local chain is not installed"];
  await using anvil = await startAnvil(program, 31_337);
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await migrate(database);
  await using site = await startSite();
  const batch = await TransactionBatch.open(anvil.rpcUrl, account);
  const token = await deployContract(batch, "DescribedToken");
  const { abi } = testContract("DescribedToken");
  batch.call({ to: token, abi, functionName: "setBase", args: [site.url] });
  await batch.mine();
  await queue(database, token);
  await using outbound = new Outbound({ allow: ["127.0.0.0/8"], deny: [], ports: ["1-65535"] });
  const [chains, network] = [new Chains(), localNetwork(anvil.rpcUrl)];
  let reads = 0;
  const dependencies = {
    database,
    outbound,
    limits: readingLimits,
    gateways: { ipfsGateway: undefined, arweaveGateway: undefined },
    chainOf: () => chains.of(network),
    events: { read: () => void reads++, failed: (err: unknown) => console.error(err) },
  };
  const peak = { documents: 0, tokens: 0, calls: 0, mebibytes: 0 };
  const before = process.memoryUsage().rss;
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await using first = new TokenReader(dependencies);
  await using second = new TokenReader(dependencies);
  while ((await unread(database)) > 0) {
    for (const { documents, tokens } of [first.load(), second.load()]) {
      peak.documents = Math.max(peak.documents, documents);
      peak.tokens = Math.max(peak.tokens, tokens);
    }
    peak.mebibytes = Math.max(peak.mebibytes, (process.memoryUsage().rss - before) / 2 ** 20);
    await sleep(20);
  }
  const { user, system } = process.cpuUsage(cpu);
  peak.calls = site.peak();
  console.log(
    `${count} tokens: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s CPU including the document server, ${reads} readings; at most ${peak.documents} documents and ${peak.tokens} tokens a reader, ${peak.calls} calls at the server, ${peak.mebibytes.toFixed(0)} MiB more than before`,
  );
  const over = (["documents", "tokens", "mebibytes"] as const).filter((key) => peak[key] > bounds[key]);
  return [
    ...over.map((key) => `${key}: ${peak[key].toFixed(0)}, limit ${bounds[key]}`),
    ...(reads === count ? [] : [`${reads} readings for ${count} tokens`]),
  ];
};

/** Serves documents of two kilobytes, a typical size. */
async function startSite(): Promise<AsyncDisposable & { readonly url: string; readonly peak: () => number }> {
  const [open, peak] = [new Set<object>(), { calls: 0 }];
  const site = createServer((req, res) => {
    open.add(res);
    peak.calls = Math.max(peak.calls, open.size);
    res.on("close", () => open.delete(res));
    const name = `Token ${req.url?.split("/").at(-1)}`;
    const body = JSON.stringify({ name, description: "d".repeat(1_900), image: "https://x.example/1.png" });
    setTimeout(() => res.writeHead(200, { "content-type": "application/json" }).end(body), 5);
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    peak: () => peak.calls,
    [Symbol.asyncDispose]: async () => {
      site.closeAllConnections();
      site.close();
    },
  };
}

async function queue(database: Queries, address: string): Promise<void> {
  await database.query("insert into collection (chain_id, address) values (31337, $1)", [address]);
  await database.query(
    `with token as (
       insert into collectible (collection_id, token_id)
       select collection.id, token_id from collection, generate_series(1, $1::int) as token_id returning id
     )
     insert into token_read (collectible_id, due_at) select id, now() from token`,
    [count],
  );
}

async function unread(database: Queries): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>(
    "select count(*)::int as count from token_read where read_at is null",
  );
  return row?.count ?? 0;
}
