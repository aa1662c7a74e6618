import { createPlan } from "../../../codegen/generate.ts";
import type { EmittedFile, OpenapiOptions } from "../../../codegen/options.ts";
import { filterModel } from "../../../codegen/plan/filter.ts";
import type { Plan, PlannedMethod } from "../../../codegen/plan/plan.ts";
import { routeOf } from "../../../codegen/plan/services.ts";
import { firstCallOf } from "../../../explorer/page/call/first-call.ts";
import type { HostInfo, KeyInfo } from "../../../explorer/page/call/host-info.ts";
import { readSchema, type ServiceMethod } from "../../../explorer/page/schema/ir.ts";
import { pageTexts } from "../../../explorer/page-texts.ts";
import type { CompiledSchema } from "../../../language/compile.ts";
import type { Paint } from "../../../language/diagnostics/paint.ts";
import { expandIr } from "../../../language/ir/expand.ts";
import { filterIr, type IrFilter } from "../../../language/ir/filter.ts";
import { writeIr } from "../../../language/ir/write.ts";
import { credentialNames } from "../../../language/model/annotations.ts";
import type { Model } from "../../../language/model/model.ts";
import { contentSecurityPolicy } from "../../../runtime/src/explorer.ts";
import { type CallRequest, callRequest } from "../../../verify/requests/routed-request.ts";
import { seededRandom } from "../../../verify/samples/random.ts";
import { Samples } from "../../../verify/samples/values.ts";
import type { ExplorerContract } from "../../dev/explorer-site.ts";
import { exampleCalls, exampleRequests } from "../../mock/examples.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import { shellQuote } from "../output/terminal.ts";
import { keyInfos } from "./credential-headers.ts";

export interface ServedContract extends ExplorerContract {
  /** What a terminal shows first of a started server. */
  readonly firstSteps: (url: string, explorerUrl: string, paint: Paint) => string;
}

export interface ServedContractOptions {
  /** Starts the server: `npx ridlkit dev`. */
  readonly command: string;
  /** A mock accepts every key. */
  readonly isMock: boolean;
}

/** What the explorer shows for a schema, and what a terminal shows. */
export function servedContract(
  { model, ir }: CompiledSchema,
  schema: Schema,
  { command, isMock }: ServedContractOptions,
): ServedContract {
  const served = filterModel(model, schema.filter);
  const servedIr = filterIr(ir, schema.filter);
  const keys = keyInfos(served, schema.generation?.openapi ?? {}).map((key) =>
    isMock ? { ...key, value: "any" } : key,
  );
  const plan = (): Plan => createPlan(served, servedIr, { ...wireSettings(schema), schemaFile: schema.path });
  const irText = explorerIr({ model, ir }, schema.filter);
  const keyValues = Object.fromEntries(keys.map(({ name, value = "" }) => [name, value]));
  const recommended = (): ServiceMethod | undefined =>
    firstCallOf(readSchema(JSON.parse(irText)), { command, isMock }, keyValues);
  return {
    irText,
    hostInfo: () => ({ keys, command, examples: exampleRequests(plan()), ...(isMock ? { isMock } : {}) }),
    examplesText: () => JSON.stringify(exampleCalls(plan())),
    getPaths: getPathsOf(served),
    firstSteps: (url, explorerUrl, paint) =>
      firstSteps({ plan: plan(), recommended: recommended(), url, explorerUrl, keys, paint }),
  };
}

function getPathsOf(model: Model): readonly string[] {
  return model.services.flatMap((service) =>
    service.methods.flatMap(({ route }) => {
      if (route === undefined) return [];
      const { verb, path } = routeOf(route, model);
      return verb === "GET" ? [path] : [];
    }),
  );
}

interface FirstSteps {
  readonly plan: Plan;
  /** The method that the page recommends. */
  readonly recommended: ServiceMethod | undefined;
  readonly url: string;
  readonly explorerUrl: string;
  readonly keys: readonly KeyInfo[];
  readonly paint: Paint;
}

/** Number of methods that are listed. */
const maxShownMethods = 10;

/** The address of the explorer, a call to paste, and the methods. */
function firstSteps(steps: FirstSteps): string {
  const { explorerUrl, paint } = steps;
  const methods = steps.plan.services.flatMap((service) => service.methods);
  const call = firstCall(methods, steps);
  const shown = methods
    .slice(0, maxShownMethods)
    .map(({ path, route }) => `${route?.verb ?? "POST"} ${route?.path ?? path}`);
  const rest = methods.length - shown.length;
  const lines = [
    `${paint.good("Explorer:")} ${paint.strong(explorerUrl)}`,
    ...(call === undefined ? [] : [`${paint.frame("Try:")}      ${call}`]),
    `${paint.frame("Methods:")}  ${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join("\n            ")}`,
  ];
  return `\n${lines.map((line) => `  ${line}\n`).join("")}\n`;
}

/** A curl command for the recommended method, or else the simplest: without a key, a file or a stream, and with few fields. */
function firstCall(
  methods: readonly PlannedMethod[],
  { plan, recommended, url, keys }: FirstSteps,
): string | undefined {
  const types = plan.finder;
  const samples = new Samples(plan, {
    side: "request",
    random: seededRandom(1),
    style: "plain",
    optional: "none",
  });
  const calls = methods
    .filter(({ files, streamInput }) => files.length === 0 && !streamInput)
    .flatMap((method) => {
      const request = callRequest(types, method, samples.body(method.request.typeName));
      if (request === undefined) return [];
      const isRecommended = method.path.endsWith(`/${recommended?.service.name}/${recommended?.method.name}`);
      return [{ request, effort: isRecommended ? 0 : effortOf(method, request), method }];
    });
  const [first] = calls.sort((a, b) => a.effort - b.effort);
  if (first === undefined) return undefined;
  const names = credentialNames(first.method.annotations.get("auth"));
  return curlLine(
    url,
    first.request,
    keys.filter(({ name }) => names.includes(name)),
  );
}

function effortOf({ annotations, streamOutput }: PlannedMethod, { path, body }: CallRequest): number {
  const characters = path.length + (body === undefined ? 0 : JSON.stringify(body).length);
  return (annotations.has("auth") ? 1e6 : 0) + (streamOutput ? 1e5 : 0) + characters;
}

function curlLine(url: string, { verb = "POST", path, body }: CallRequest, keys: readonly KeyInfo[]): string {
  const headers = keys.map(({ header, prefix = "", value }) => `${header}: ${prefix}${value ?? "KEY"}`);
  if (body !== undefined) headers.push("Content-Type: application/json");
  return [
    "curl -s",
    ...(verb === (body === undefined ? "GET" : "POST") ? [] : [`-X ${verb}`]),
    shellQuote(`${url}${path}`),
    ...headers.map((header) => `-H ${shellQuote(header)}`),
    ...(body === undefined ? [] : [`-d ${shellQuote(JSON.stringify(body))}`]),
  ].join(" ");
}

/** The IR for the page, which does not derive structs. */
function explorerIr({ model, ir }: Pick<CompiledSchema, "model" | "ir">, filter: IrFilter): string {
  // Without indentation: the page loads it first.
  return JSON.stringify(JSON.parse(writeIr(filterIr(expandIr(ir, model), filter))));
}

/** The explorer for any web host: the page, the contract, and a policy that allows calls of its servers only. */
export function explorerExport(
  result: Pick<CompiledSchema, "model" | "ir">,
  plan: Plan,
  { filter, openapi }: { readonly filter: IrFilter; readonly openapi: OpenapiOptions },
): readonly EmittedFile[] {
  const { title, servers = [] } = openapi;
  // As in OpenAPI: without servers, the host of the page is the server.
  const urls = servers.length === 0 ? ["/"] : servers.map(({ url }) => url);
  const info: HostInfo = {
    ...(title === undefined ? {} : { title }),
    servers: urls,
    keys: keyInfos(filterModel(result.model, filter), openapi),
    examples: exampleRequests(plan),
  };
  const page = pageTexts();
  const files = {
    ...page,
    "index.html": withPolicy(page["index.html"] ?? "", urls),
    "schema.json": explorerIr(result, filter),
    "host.json": `${JSON.stringify(info, null, 2)}\n`,
    "examples.json": JSON.stringify(exampleCalls(plan)),
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
