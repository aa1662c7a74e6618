import { expect, test } from "vitest";
import { readConfig } from "../../../server/host/read-config.ts";

const DATABASE_URL = "postgres://host/name";
const SIGNING_KEY = Buffer.alloc(32, 1).toString("base64");
const keyMissing =
  "SIGNING_KEY: required with DATABASE_URL, and the same on all replicas; create one with: openssl rand -base64 32";
const inProduction = [
  "DATABASE_URL: required with --production; set the URL of a Postgres 15 or newer, e.g. postgres://user:password@host/name",
  keyMissing.replace("DATABASE_URL", "--production"),
];

test.each<[readonly string[], object, readonly unknown[]]>([
  [[], {}, []],
  [["--sandbox"], {}, []],
  [["--sandbox", "--host", "localhost"], {}, []],
  [["--host", "0.0.0.0"], {}, []],
  [
    ["--sandbox", "--host", "0.0.0.0"],
    {},
    [expect.stringMatching(/^--sandbox: .* must not listen on 0[.]0[.]0[.]0; use 127[.]0[.]0[.]1$/)],
  ],
  [["--production"], {}, inProduction],
  [["--production", "--no-sandbox"], {}, inProduction],
  [["--production"], { SIGNING_KEY }, inProduction.slice(0, 1)],
  [["--production"], { DATABASE_URL }, inProduction.slice(1)],
  [["--production"], { DATABASE_URL, SIGNING_KEY }, []],
  [["--production", "--sandbox"], {}, ["--production and --sandbox exclude each other; remove one of them"]],
  [
    ["--production", "--sandbox-chain"],
    { DATABASE_URL, SIGNING_KEY },
    ["--production and --sandbox-chain exclude each other; remove one of them"],
  ],
  [[], { DATABASE_URL }, [keyMissing]],
  [[], { DATABASE_URL, SIGNING_KEY }, []],
  [["--sandbox"], { DATABASE_URL }, []],
  [
    ["--host", "0.0.0.0"],
    { SIGNING_KEY: "short" },
    [expect.stringMatching(/^SIGNING_KEY: expected base64 of at least 32 bytes/)],
  ],
  [["--networks", "polygno"], {}, ['networks: unknown network "polygno"; did you mean "polygon"?']],
  [["--help", "--prot"], {}, [expect.stringMatching(/^unknown option "--prot"/)]],
  [
    ["--port", "x", "--max-lag-ms", "1"],
    {},
    [
      '--port: expected a whole number from 0 to 65535, found "x"',
      '--max-lag-ms: expected a whole number from 10 to 60000, found "1"',
    ],
  ],
])("%j with %j has the faults %j", async (argv, env, faults) => {
  const result = await readConfig(argv, { ...env });
  expect("faults" in result ? result.faults : []).toEqual(faults);
  expect("config" in result).toBe(faults.length === 0);
});

const collection = `0x${"ab".repeat(20)}`;
const rpcUrls = ["https://a.example"];
const markets = [{ kind: "seaport" }];
const unserved =
  "the network is not served, so it is not followed; add it to networks, or remove follow and markets";

test.each<[argv: string, env: object, details: object, faults: readonly string[]]>([
  [
    "--networks polygon",
    {},
    { polygon: { follow: true } },
    [
      "networkDetails.polygon.follow: the network has no nodes; set RPC_URLS=polygon=https://…, or networkDetails.polygon.rpcUrls",
    ],
  ],
  ["--networks polygon", {}, { polygon: { follow: true, rpcUrls } }, []],
  ["--networks polygon", { RPC_URLS: "137=https://a.example" }, { polygon: { follow: true } }, []],
  [
    "--networks polygon",
    {},
    { polygon: { follow: true, rpcUrls: ["a"] } },
    ["networkDetails.polygon.rpcUrls[0]: expected a URL that begins with http:// or https://"],
  ],
  ["--networks polygon", {}, { base: { follow: true, rpcUrls } }, [`networkDetails.base: ${unserved}`]],
  ["--networks polygon", {}, { "8453": { markets } }, [`networkDetails.base: ${unserved}`]],
  ["--networks polygon", {}, { base: { rpcUrls } }, []],
  [
    "--networks polygon",
    {},
    { polygon: { rpcUrls, markets } },
    [
      "networkDetails.polygon.markets: orders are read only from a followed network; set networkDetails.polygon.follow, or remove markets",
    ],
  ],
  ["--networks polygon", {}, { polygon: { rpcUrls, markets, follow: true } }, []],
  [
    `--networks polygon --collections polygon=${collection},137=${collection}@5`,
    {},
    { polygon: { rpcUrls } },
    ["collections: polygon is not followed, so its tokens are not read; set networkDetails.polygon.follow"],
  ],
  [`--networks polygon --collections polygon=${collection}`, {}, { polygon: { rpcUrls, follow: true } }, []],
  // The host starts the local chain and follows it.
  [`--networks polygon --sandbox-chain --collections 31337=${collection}`, {}, {}, []],
  ["--networks polygon --sandbox-chain", {}, { "31337": { follow: true, markets } }, []],
  [`--networks 31337 --collections 31337=${collection}`, {}, {}, [expect.stringMatching(/^collections: /)]],
])("%s with %j and the details %j has the faults %j", async (argv, env, details, faults) => {
  const result = await readConfig(argv.split(" "), { ...env, NETWORK_DETAILS: JSON.stringify(details) });
  expect("faults" in result ? result.faults : []).toEqual(faults);
});

test.each([
  ["--database-url", "DATABASE_URL"],
  ["--signing-key", "SIGNING_KEY"],
  ["--redis-url", "REDIS_URL"],
  ["--rpc-urls", "RPC_URLS"],
  ["--network-details", "NETWORK_DETAILS"],
])("%s has no flag: its error names %s and never the value", async (flag, variable) => {
  const fault = `${flag}: this setting has no flag, because every user of the machine can read the arguments of its processes; set ${variable}`;
  for (const argv of [[flag, "SECRET"], [`${flag}=SECRET`], [flag]])
    expect(await readConfig(argv, {})).toMatchObject({ faults: [fault] });
  // No suggestion is an option that does not exist.
  expect(await readConfig([`${flag}s`], {})).toMatchObject({
    faults: [expect.not.stringContaining(`did you mean "${flag}"`)],
  });
});

test("--help prints every flag, and the variables of secrets", async () => {
  const result = await readConfig(["--help"], {});
  const help = "help" in result ? result.help : "";
  expect(help).toContain(
    "  --port N                        port to listen on; 0 selects a free port (default: 4000)\n",
  );
  expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
  // A word that fills a line, and a name that has a line of its own.
  expect(help).toContain("\n                                  137=https://a.example,137=");
  expect(help).toContain(
    "  --swap-max-price-impact-percent N\n                                  largest price",
  );
  expect(help).toContain("  SIGNING_KEY ");
  expect(help).not.toContain("--signing-key");
});
