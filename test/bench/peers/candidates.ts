/** Generators of TypeScript clients, and how each is run on the same contract. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("./", import.meta.url));
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Packages installed by `npm ci --ignore-scripts --prefix test/bench/peers`. */
export const packages: string = join(here, "node_modules");

/** ridlkit itself and its runtime, as packed by `npm run pack`. */
export const tarballs: readonly string[] = ["ridlkit.tgz", "ridlkit-runtime.tgz"].map((name) =>
  join(packages, ".out", name),
);

export interface Peer {
  readonly name: string;
  /** What a user installs to generate and to run the output; absent for programs outside of npm. */
  readonly installs?: readonly string[];
  /** The command. It runs in a folder with the contract, and writes to `out/`. */
  readonly command: readonly string[];
  /** A program that makes one call with the output. */
  readonly call: string;
  /** A program that exports everything, so that a bundler drops nothing. */
  readonly everything: string;
  /** A program whose default export takes the server's origin and returns a function that calls `Marketplace.Ping`. */
  readonly ping: string;
}

/** File names of the contract in each folder. */
export const contract = { ridl: "bench.ridl", openapi: "openapi.json", proto: "bench.proto" } as const;

const url = '"https://bench.example"';
const ridlkit = [process.execPath, join(root, "dist/ridlkit.js"), "generate", contract.ridl, "--out", "out"];
const oursCalls = {
  call: `import { get0 } from "./out/client.ts"; await get0({ url: ${url} }, { id: 1 });`,
  everything: 'export * from "./out/client.ts";',
  ping: `import { ping } from "./out/client.ts";
export default (url: string) => () => ping({ url });`,
};

const installed: readonly Peer[] = [
  {
    name: "ridlkit, a client",
    installs: tarballs,
    command: [...ridlkit, "--target", "types,errors,client"],
    ...oursCalls,
  },
  {
    name: "ridlkit, server and validators too",
    installs: [...tarballs, "koa"],
    command: ridlkit,
    ...oursCalls,
  },
  {
    name: "openapi-typescript 7.13.0, openapi-fetch 0.17.0",
    installs: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"],
    command: packaged("openapi-typescript/bin/cli.js", contract.openapi, "--output", "out/schema.ts"),
    call: `import createClient from "openapi-fetch"; import type { paths } from "./out/schema.ts";
await createClient<paths>({ baseUrl: ${url} }).POST("/rpc/Service0/Get0", { body: { id: 1 } });`,
    everything: 'export { default } from "openapi-fetch"; export type * from "./out/schema.ts";',
    ping: `import createClient from "openapi-fetch"; import type { paths } from "./out/schema.ts";
export default (baseUrl: string) => {
  const client = createClient<paths>({ baseUrl });
  return async () => (await client.POST("/rpc/Marketplace/Ping", { body: {} })).data;
};`,
  },
  {
    name: "@hey-api/openapi-ts 0.95.0",
    installs: ["@hey-api/openapi-ts@0.95.0", "typescript@5.9.3"],
    command: packaged(
      "@hey-api/openapi-ts/bin/run.js",
      ...["--input", contract.openapi, "--output", "out"],
      ...["--plugins", "@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    ),
    call: `import { client } from "./out/client.gen"; import { service0Get0 } from "./out/index";
client.setConfig({ baseUrl: ${url} }); await service0Get0({ body: { id: 1 } });`,
    everything: 'export * from "./out/index"; export * from "./out/client.gen";',
    ping: `import { client } from "./out/client.gen"; import { marketplacePing } from "./out/index";
export default (baseUrl: string) => {
  client.setConfig({ baseUrl });
  return async () => (await marketplacePing({ body: {} })).data;
};`,
  },
  {
    name: "orval 7.13.2",
    installs: ["orval@7.13.2"],
    command: packaged(
      "orval/dist/bin/orval.js",
      ...["--input", contract.openapi, "--output", "out/client.ts", "--client", "fetch"],
    ),
    call: 'import { service0Get0 } from "./out/client"; await service0Get0({ id: 1 });',
    everything: 'export * from "./out/client";',
    // Its functions call relative URLs.
    ping: `import { marketplacePing } from "./out/client";
export default (origin: string) => {
  const own = fetch;
  globalThis.fetch = (path, init) => own(origin + path, init);
  return async () => (await marketplacePing({})).data;
};`,
  },
  {
    name: "buf 1.75.0, protoc-gen-es 2.13.0, connect 2.2.0",
    installs: [
      "@bufbuild/buf@1.75.0",
      "@bufbuild/protoc-gen-es@2.13.0",
      "@bufbuild/protobuf@2.17.0",
      "@connectrpc/connect@2.2.0",
      "@connectrpc/connect-web@2.2.0",
    ],
    command: packaged("@bufbuild/buf/bin/buf", "generate", "--template", "buf.gen.json"),
    call: `import { createClient } from "@connectrpc/connect"; import { createConnectTransport } from "@connectrpc/connect-web";
import { Service0 } from "./out/bench_pb.ts";
await createClient(Service0, createConnectTransport({ baseUrl: ${url} })).get0({ id: 1n });`,
    everything: `export * from "./out/bench_pb.ts"; export { createClient } from "@connectrpc/connect";
export { createConnectTransport } from "@connectrpc/connect-web";`,
    ping: `import { createClient } from "@connectrpc/connect"; import { createConnectTransport } from "@connectrpc/connect-web";
import { Marketplace } from "./out/bench_pb.ts";
export default (origin: string) => {
  const client = createClient(Marketplace, createConnectTransport({ baseUrl: origin + "/connect" }));
  return async () => ({ status: (await client.ping({})).status });
};`,
  },
];

/** Clients that call servers of their own kind, without generated code. */
export const proxies: readonly Pick<Peer, "name" | "ping">[] = [
  {
    name: "@orpc/client 1.16.1",
    ping: `import { type Client, createORPCClient } from "@orpc/client"; import { RPCLink } from "@orpc/client/fetch";
type Ping = Client<Record<never, never>, object, { status: boolean }, Error>;
export default (origin: string) => {
  const client: { Marketplace: { Ping: Ping } } = createORPCClient(new RPCLink({ url: origin + "/orpc" }));
  return () => client.Marketplace.Ping({});
};`,
  },
  {
    name: "@trpc/client 11.25.2, without batches",
    ping: `import { createTRPCClient, httpLink } from "@trpc/client";
export default (origin: string) => {
  const client: any = createTRPCClient<never>({ links: [httpLink({ url: origin + "/trpc" })] });
  return () => client.Marketplace.Ping.mutate({});
};`,
  },
];

/** Configuration of buf. */
export const bufTemplate: string = JSON.stringify({
  version: "v2",
  plugins: [
    {
      local: [process.execPath, join(packages, "@bufbuild/protoc-gen-es/bin/protoc-gen-es")],
      out: "out",
      opt: ["target=ts", "import_extension=ts"],
    },
  ],
});

export function peers(folder: string): readonly Peer[] {
  // The benchmark itself writes into the folder.
  if (!existsSync(join(packages, ".package-lock.json"))) {
    console.log(
      "peers: only ridlkit is measured; to install the others: npm ci --ignore-scripts --prefix test/bench/peers",
    );
    return installed.slice(0, 2);
  }
  return [...installed, ...webrpcGen(folder)];
}

/** The reference generator, built from the version that `test/reference` pins. Its templates need to know the version. */
function webrpcGen(folder: string): readonly Peer[] {
  const cwd = join(root, "test/reference");
  const path = "github.com/webrpc/webrpc";
  const program = join(folder, "webrpc-gen");
  let version = "";
  try {
    version = execFileSync("go", ["list", "-m", "-f", "{{.Version}}", path], {
      cwd,
      encoding: "utf8",
    }).trim();
    const flags = ["-ldflags", `-X ${path}.VERSION=${version}`];
    execFileSync("go", ["build", ...flags, "-o", program, `${path}/cmd/webrpc-gen`], { cwd });
  } catch {
    console.log("peers: webrpc-gen is skipped, because building it needs Go 1.25 or newer");
    return [];
  }
  return [
    {
      name: `webrpc-gen ${version.slice(1)}, gen-typescript 0.28.0`,
      command: [program, `-schema=${contract.ridl}`, "-target=typescript", "-client", "-out=out/client.ts"],
      call: `import { Service0 } from "./out/client.ts"; await new Service0(${url}, fetch).get0({ id: 1 });`,
      everything: 'export * from "./out/client.ts";',
      ping: `import { Marketplace } from "./out/client.ts";
export default (origin: string) => {
  const client = new Marketplace(origin, fetch);
  return () => client.ping();
};`,
    },
  ];
}

function packaged(path: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(packages, path), ...args];
}
