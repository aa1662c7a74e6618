/** What the demo prints when it is ready: URLs, keys, and calls to copy. */
import { explorerUrlOf, type Ready } from "../ready.ts";

export interface DemoReady {
  readonly ready: Ready;
  readonly audienceId: number;
  /** Shows the webhooks that arrived. Undefined without a local chain. */
  readonly receiverUrl: string | undefined;
  /** Why the local chain cannot start. Undefined if its packages are installed. */
  readonly missing: string | undefined;
  /** Whether the operator has configured nodes of chain 31337. */
  readonly hasOwnNodes: boolean;
}

export function demoTable(demo: DemoReady): string {
  const { ready, receiverUrl } = demo;
  const { url, adminUrl, projectId, accessKey = "", secretKey = "", localChain } = ready;
  const rows: readonly (readonly [string, string])[] = [
    ["explorer", explorerUrlOf(ready) ?? `${url}/`],
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
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return `The platform is ready. It is only reachable from this machine, and keeps its data for the next start.
Stop it with Ctrl-C, which saves the last blocks. Start over with: npm start -- --reset

${lines.join("\n")}

Try:

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
  const audience = call("/rpc/Builder/GetAudience", { audienceId });
  if (localChain === undefined)
    return [audience, call("/rpc/Builder/ListContractSources", {}), call("/rpc/API/Version", {})];
  const { collection, tokens, chainId } = localChain;
  return [
    call(`/${chainId}/rpc/Marketplace/GetFloorOrder`, { contractAddress: collection }),
    call("/rpc/API/GetSwapPrice", {
      chainId,
      sellCurrencyAddress: tokens.USD,
      buyCurrencyAddress: tokens.GEM,
      buyAmount: "1000000000000000000",
    }),
    audience,
  ];
}
