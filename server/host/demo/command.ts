import { isSandbox } from "../../base/config/config.ts";
import { StartFault } from "../../base/start-fault.ts";
import { sandboxIsMissing } from "../../chain/sandbox/chain.ts";
import { readConfig } from "../read-config.ts";
import { readyJson } from "../ready.ts";
import { printFaults, runHost } from "../serve.ts";
import { fill, receiverUrlOf } from "./fill.ts";
import { showProgress } from "./progress.ts";
import { resetDataFolder } from "./reset.ts";
import { demoTable } from "./table.ts";

/** `platform demo`: a host with all that it can have on one machine, filled with something to look at. */
export async function runDemo(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const flags = argv.filter((word) => word !== "--reset");
  const missing = sandboxIsMissing();
  const result = await readConfig(flags, env, {
    logLevel: "warn",
    sandboxChain: missing === undefined,
    ...(missing === undefined ? {} : { networks: [localNetworkId] }),
  });
  if ("help" in result) {
    process.stdout.write(`${help}${result.help}`);
    return;
  }
  if ("faults" in result) return printFaults(result.faults);
  const { config } = result;
  await runHost(config, async (serve) => {
    if (!isSandbox(config)) throw new StartFault(notHere);
    if (flags.length < argv.length) {
      if (config.databaseUrl !== undefined) throw new StartFault(notOurs);
      resetDataFolder(config.dataDir);
    }
    using progress = showProgress(process.stderr);
    progress.showStep("the database and the local chain are started");
    let audienceId = 0;
    await serve({
      async fill(open) {
        ({ audienceId } = await fill(open, { dataDir: config.dataDir, showStep: progress.showStep }));
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
            : demoTable({ ready, audienceId, receiverUrl, missing }),
        );
      },
    });
  });
}

const localNetworkId = "31337";

const notHere =
  "a demo is for this machine only, with keys that everybody here may read; for the server alone: npm start -- --production";

const notOurs = "--reset is for what the demo keeps itself; the database of DATABASE_URL is yours to empty";

const help = `npm start: the whole platform on this machine, with a chain, sample records and keys to try it.

  --reset              begin anew: what the demo has kept in its data folder is removed
  --production         only the server, without anything of the demo

`;
