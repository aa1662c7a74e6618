import { type Config, isSandbox } from "../../base/config/config.ts";
import { StartFault } from "../../base/start-fault.ts";
import { localChain } from "../../chain/networks/local-chain.ts";
import { readNetworks } from "../../chain/networks/settings.ts";
import { describeMissingPackages } from "../../chain/sandbox/chain.ts";
import { readConfig } from "../read-config.ts";
import { readyJson } from "../ready.ts";
import { printFaults, runHost } from "../serve.ts";
import { showProgress } from "./progress.ts";
import { resetDataFolder } from "./reset.ts";
import { addSampleData, receiverUrlOf } from "./sample-data.ts";
import { demoTable } from "./table.ts";

/** `platform demo`: runs a host with a local chain and sample data, all on this machine. */
export async function runDemo(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const flags = argv.filter((word) => !ownFlags.includes(word));
  const missing = describeMissingPackages();
  const result = await readConfig(flags, env, {
    logLevel: "warn",
    sandboxChain: missing === undefined,
    ...(missing === undefined ? {} : { networks: [String(localChain.chainId)] }),
  });
  if ("help" in result) {
    process.stdout.write(`${help}${result.help}`);
    return;
  }
  if ("faults" in result) return printFaults(result.faults);
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
            : demoTable({ ready, audienceId, receiverUrl, missing, hasOwnNodes: hasNodesOf31337(config) }),
        );
      },
    });
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
