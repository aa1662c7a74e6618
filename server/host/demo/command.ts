import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { colored, type Paint, plain, shouldUseColor } from "../../../generator/language/diagnostics/paint.ts";
import { type Config, isSandbox } from "../../base/config/config.ts";
import { settings } from "../../base/config/settings.ts";
import { StartFault } from "../../base/start-fault.ts";
import { findRunning, hasDatabase } from "../../base/storage/embedded/embedded.ts";
import { localChain } from "../../chain/networks/known-chains.ts";
import { readNetworks } from "../../chain/networks/settings.ts";
import { describeMissingPackages } from "../../chain/sandbox/chain.ts";
import { listStateFiles } from "../../chain/sandbox/state-saver.ts";
import { readConfig } from "../read-config.ts";
import { explorerUrlOf, type Ready, readyJson } from "../ready.ts";
import { printFaults, runHost } from "../run-host.ts";
import { firstCall } from "../sandbox-page/examples.ts";
import { clearLine } from "../standard-streams.ts";
import { addSampleData, demoStateName, receiverUrlOf } from "./sample-data.ts";

/** `platform demo`: runs a host with a local chain and sample data, all on this machine. */
export async function runDemo(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const flags = argv.filter((word) => !ownFlags.includes(word));
  const missing = describeMissingPackages();
  const defaults = {
    logLevel: "warn",
    sandboxChain: missing === undefined,
    ...(missing === undefined ? {} : { networks: [String(localChain.chainId)] }),
  } as const;
  const usual = await readConfig(flags, env, defaults);
  const port = hasUsualPorts(usual) ? await firstFreePort(usualPort) : usualPort;
  const result = port === usualPort ? usual : await readConfig(flags, env, { ...defaults, port });
  if ("help" in result) {
    process.stdout.write(`${help}${result.help}`);
    return;
  }
  if ("faults" in result) return printFaults(result);
  const { config } = result;
  await runHost(config, async (serve) => {
    if (!isSandbox(config)) throw new StartFault(notASandbox);
    if (argv.includes("--reset")) {
      if (config.databaseUrl !== undefined) throw new StartFault(notEmbedded);
      resetDataFolder(config.dataDir);
    }
    using progress = showProgress(process.stderr);
    progress.showStep("starting the database and the local chain");
    let audienceId = 0;
    await serve({
      async addSampleData(open) {
        ({ audienceId } = await addSampleData(open, {
          dataDir: config.dataDir,
          showStep: progress.showStep,
          keepsTrading: !argv.includes("--no-trades"),
        }));
      },
      onReady(ready) {
        progress[Symbol.dispose]();
        const receiverUrl = ready.localChain === undefined ? undefined : receiverUrlOf(ready.url);
        process.stdout.write(
          config.json
            ? readyJson({
                ...ready,
                demo: { audienceId, ...(receiverUrl === undefined ? {} : { receiverUrl }) },
              })
            : demoTable({
                ready,
                audienceId,
                receiverUrl,
                missing,
                hasOwnNodes: hasNodesOf31337(config),
                busyPort: config.port === port && port !== usualPort ? usualPort : undefined,
                paint: shouldUseColor(env, undefined, process.stdout.isTTY) ? colored : plain,
              }),
        );
      },
    });
  });
}

const usualPort = settings.port.fallback;

/** Whether the operator has chosen neither port. */
function hasUsualPorts(result: Awaited<ReturnType<typeof readConfig>>): boolean {
  return "config" in result && result.config.port === usualPort && result.config.adminPort === undefined;
}

/** Returns the first port whose successor is free too: the admin server listens there. */
export async function firstFreePort(usual: number): Promise<number> {
  for (let port = usual; port < usual + portsTried; port += 2)
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  return usual;
}

const portsTried = 40;

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}

function hasNodesOf31337(config: Config): boolean {
  const { networks } = readNetworks(config);
  return networks.some(({ chainId, nodes }) => chainId === localChain.chainId && nodes.length > 0);
}

const ownFlags = ["--reset", "--no-trades"];

const notASandbox =
  "the demo only runs on this machine, because it shows its keys; to run only the server: npm start -- --production";

const notEmbedded =
  "--reset only removes the demo's own data; it does not empty the database of DATABASE_URL";

const help = `npm start: runs the whole platform on this machine, with a local chain, sample records and keys.

  --reset              start over: first remove the contents of the demo's data folder
  --no-trades          make no trades while the page Live is open
  --production         run only the server, without the demo

Its defaults are --sandbox-chain true, --networks 31337 and --log-level warn.

`;

/** Shows the current step on one terminal line, which is overwritten. Prints nothing if the stream is not a terminal. */
interface Progress extends Disposable {
  showStep(step: string): void;
}

export function showProgress(stream: NodeJS.WriteStream): Progress {
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`${clearLine}${text}`);
  };
  return {
    showStep: (step) => write(`platform: ${step} …`),
    [Symbol.dispose]: () => write(""),
  };
}

/**
 * Removes the files of sandboxes in a data folder, and nothing else. Throws StartFault if the folder belongs to no sandbox or is
 * in use.
 */
export function resetDataFolder(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  const folder = resolve(dataDir);
  const isSandboxFolder =
    existsSync(join(dataDir, "sandbox.json")) || existsSync(join(dataDir, demoStateName));
  if (!isSandboxFolder)
    throw new StartFault(
      `--reset: ${folder} is not a sandbox's data folder and was not changed; choose another with --data-dir`,
    );
  if (hasDatabase(dataDir) && findRunning(dataDir) !== undefined)
    throw new StartFault(`--reset: a host is using ${folder}; stop it first`);
  const postgres = join(dataDir, "postgres");
  // When the host runs as root, this may be a link to a folder that the Postgres user can reach.
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  for (const name of ["postgres", "signing-key", "sandbox.json", demoStateName, ...listStateFiles(dataDir)])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

/* What the demo prints when it is ready: URLs, keys, and calls to copy. */

interface DemoReady {
  readonly ready: Ready;
  readonly audienceId: number;
  /** Shows the webhooks that arrived. Undefined without a local chain. */
  readonly receiverUrl: string | undefined;
  /** Why the local chain cannot start. Undefined if its packages are installed. */
  readonly missing: string | undefined;
  /** Whether the operator has configured nodes of chain 31337. */
  readonly hasOwnNodes: boolean;
  /** The usual port, if it or the next one was in use and others were taken. */
  readonly busyPort: number | undefined;
  readonly paint: Paint;
}

export function demoTable(demo: DemoReady): string {
  const { ready, receiverUrl, busyPort, paint } = demo;
  const { url, adminUrl, projectId, accessKey = "", secretKey = "", localChain } = ready;
  const rows: readonly (readonly [string, string])[] = [
    ["calls", `${url}/rpc/…  and  ${url}/31337/rpc/…`],
    ...(receiverUrl === undefined ? [] : ([["webhooks", `${receiverUrl}  shows what has arrived`]] as const)),
    ["admin", `${adminUrl}/healthz`],
    ...(localChain === undefined
      ? ([["chain", withoutLocalChain(demo)]] as const)
      : ([
          ["chain", `${localChain.rpcUrl}  (31337)`],
          ["collection", localChain.collection],
          ["market", localChain.market],
        ] as const)),
    ["project", String(projectId)],
    ["access key", accessKey],
    ["secret key", secretKey],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(
    ([name, value]) => `  ${paint.frame(name)}${" ".repeat(width - name.length)}  ${value}`,
  );
  const explorer = `${paint.good("explorer")}  ${paint.strong(explorerUrlOf(ready) ?? `${url}/`)}`;
  const moved =
    busyPort === undefined
      ? ""
      : `\nPort ${busyPort} or ${busyPort + 1} is in use, so the next two free ones were taken.`;
  return `
  ${explorer}

The platform is ready. It is only reachable from this machine, and keeps its data for the next start.
Stop it with Ctrl-C, which saves the last blocks. Start over with: npm start -- --reset${moved}

${lines.join("\n")}

${paint.strong("Try:")}

${calls(demo)
  .map((call) => `  ${call}`)
  .join("\n")}
`;
}

function withoutLocalChain({ missing, hasOwnNodes }: DemoReady): string {
  if (hasOwnNodes) return "the nodes in your configuration  (31337)";
  return `none: ${missing ?? "switched off"}`;
}

function calls({ ready, audienceId }: DemoReady): readonly string[] {
  const { url, accessKey = "", localChain } = ready;
  const call = (path: string, body: object): string =>
    `curl -s ${url}${path} -H 'content-type: application/json' -H 'x-access-key: ${accessKey}' -d '${JSON.stringify(body)}'`;
  const first = firstCall(localChain);
  if (localChain === undefined)
    return [
      call(`/rpc/${first}`, { audienceId }),
      call("/rpc/Builder/ListContractSources", {}),
      call("/rpc/API/Version", {}),
    ];
  const { collection, tokens, chainId } = localChain;
  return [
    call(`/${chainId}/rpc/${first}`, { contractAddress: collection }),
    call("/rpc/API/GetSwapPrice", {
      chainId,
      sellCurrencyAddress: tokens.USD,
      buyCurrencyAddress: tokens.GEM,
      buyAmount: "1000000000000000000",
    }),
    call("/rpc/Builder/GetAudience", { audienceId }),
  ];
}
