import type { EmittedFile, OpenapiOptions } from "../../../codegen/options.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import type { HostInfo } from "../../../explorer/page/call/host-info.ts";
import { pageTexts } from "../../../explorer/page-texts.ts";
import type { Model } from "../../../language/model/model.ts";
import { contentSecurityPolicy } from "../../../runtime/src/explorer.ts";
import { exampleRequests, keyInfos } from "../servers/served-contract.ts";

/** The explorer for any web host: the page, the contract, and a policy that allows calls of its servers only. */
export function explorerExport(plan: Plan, model: Model, openapi: OpenapiOptions): readonly EmittedFile[] {
  const { title, servers = [] } = openapi;
  // As in OpenAPI: without servers, the host of the page is the server.
  const urls = servers.length === 0 ? ["/"] : servers.map(({ url }) => url);
  const info: HostInfo = {
    ...(title === undefined ? {} : { title }),
    servers: urls,
    keys: keyInfos(model, openapi),
    examples: exampleRequests(plan),
  };
  const page = pageTexts();
  const files = {
    ...page,
    "index.html": withPolicy(page["index.html"] ?? "", urls),
    "schema.json": plan.irText,
    "host.json": `${JSON.stringify(info, null, 2)}\n`,
  };
  return Object.entries(files).map(([name, text]) => ({ path: `explorer/${name}`, text }));
}

/** Static hosts may not set headers, so the policy is in the page. */
function withPolicy(html: string, urls: readonly string[]): string {
  const origins = urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
  const policy = contentSecurityPolicy([...new Set(origins)]);
  const charset = '<meta charset="utf-8">\n';
  return html.replace(
    charset,
    `${charset}    <meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
  );
}
