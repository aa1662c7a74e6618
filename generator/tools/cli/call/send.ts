import { TypeFinder } from "../../../codegen/plan/type-finder.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { requestOf } from "../../../verify/client/exact-json.ts";
import { methodClient, RpcError } from "../../../verify/client/method-client.ts";
import { checkRequest, type RequestFault } from "../../../verify/client/request-check.ts";
import { unknownFields } from "../../../verify/client/unknown-fields.ts";
import { didYouMean, usageText } from "../command-error.ts";
import { shouldUseColour } from "../environment.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { ProgressLine } from "../output/progress.ts";
import { type Credential, credentialVariables } from "./credentials.ts";
import { errorLines } from "./failure.ts";
import { fullName } from "./find-method.ts";
import { OutputError, outputTo } from "./output.ts";
import { performCall, type ReadyCall, type ResultStyle } from "./perform.ts";
import type { PlannedCall } from "./planned-call.ts";
import type { CurlOutput } from "./print-curl.ts";
import { type CallCall, type CallSettings, isHeader } from "./settings.ts";

/** A call whose command line is valid. */
export interface CallInput {
  readonly planned: PlannedCall;
  /** JSON of the request. */
  readonly text: string;
  readonly settings: CallSettings;
  readonly credentials: readonly Credential[];
}

/** Checks and sends a request, and prints the response. Or prints the call as a curl command. */
export async function send(input: CallInput, call: CallCall): Promise<ExitCode> {
  const { planned, text, settings, credentials } = input;
  const { options, cwd, terminal } = call;
  const { plan, service, method } = planned;
  const name = fullName({ service: service.name, method: method.name });
  const bad = credentials.find(({ header, prefix, value }) => !isHeader(header, prefix + value));
  if (bad !== undefined)
    return refuse(`${bad.variable} contains characters that are not allowed in a header.`, call);
  const key = options.idempotencyKey;
  if (key !== undefined && !/^[ -~]{1,255}$/.test(key))
    return refuse("--idempotency-key takes 1 to 255 printable ASCII characters.", call);
  if (method.fileOutput && options.output === undefined && options.curl !== true) {
    if (call.report.format === "json" || terminal.outIsTerminal)
      return refuse(`The response of ${name} is a file: name one with --output FILE.`, call);
  }
  const fault = options.check === false ? undefined : checkRequest(plan, method, text);
  if (fault !== undefined) return rejectRequest(fault, name, call);
  if (options.check !== false && !call.report.quiet) warnAboutFields(input, call);
  const opened = await openRequest(input, cwd);
  if ("lines" in opened) return rejectRequest(opened, name, call);
  const ready: ReadyCall = {
    ...settings,
    client: methodClient(plan, service, method),
    request: opened.request,
    headers: withCredentials(settings.headers, credentials),
    idempotencyKey: key,
    isGet: options.get === true,
    name,
    advice: (error) => adviceFor(error, planned, credentials.length > 0),
  };
  if (options.curl) return printCommand(ready, { credentials, filePaths: opened.paths }, call);
  await using output = outputTo(options.output, call);
  try {
    const progress = new ProgressLine(call.report);
    const style = styleOf(call, output.isTerminal);
    return await performCall(ready, { output, err: terminal.err, progress, style });
  } catch (err) {
    if (!(err instanceof OutputError)) throw err;
    return refuse(err.message, call);
  }
}

async function printCommand(
  ready: ReadyCall,
  { credentials, filePaths }: Pick<CurlOutput, "credentials" | "filePaths">,
  { options, terminal }: CallCall,
): Promise<ExitCode> {
  const { printCurl } = await import("./print-curl.ts");
  try {
    terminal.out(`${await printCurl(ready, { credentials, filePaths, output: options.output })}\n`);
    return exitCode.ok;
  } catch (err) {
    if (!(err instanceof RpcError)) throw err;
    terminal.err(
      errorLines(err)
        .map((line) => `${visible(line)}\n`)
        .join(""),
    );
    return exitCode.findings;
  }
}

async function openRequest(
  { planned: { method }, text }: CallInput,
  cwd: string,
): Promise<{ readonly request: object; readonly paths: readonly string[] } | RequestFault> {
  const request = requestOf(text);
  if (method.files.length === 0) return { request, paths: [] };
  const { openFiles } = await import("./request-files.ts");
  const opened = await openFiles(request, method.files, cwd);
  return "request" in opened ? opened : { lines: opened, issues: [] };
}

/** The types of the generated client report such a field, and servers ignore it. */
function warnAboutFields({ planned: { plan, method }, text }: CallInput, { terminal }: CallCall): void {
  for (const { pointer, name, known } of unknownFields(new TypeFinder(plan), method, text)) {
    const hint = didYouMean(suggest(name, known));
    terminal.err(
      `${visible(`ridlkit: The contract has no field ${pointer}, so servers ignore it.${hint}`)}\n`,
    );
  }
}

/** Headers of the command line replace credentials of the environment. */
function withCredentials(
  headers: CallSettings["headers"],
  credentials: readonly Credential[],
): CallSettings["headers"] {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = credentials.filter(({ header }) => !given.has(header.toLowerCase()));
  return {
    ...Object.fromEntries(added.map(({ header, prefix, value }) => [header, prefix + value])),
    ...headers,
  };
}

function styleOf({ options, env, report }: CallCall, isTerminal: boolean): ResultStyle {
  const isDocument = report.format === "json";
  return {
    isPretty: options.pretty ?? (isTerminal && !isDocument),
    isColoured: shouldUseColour({ env }, options.color, isTerminal),
    isDocument,
    includesHead: options.include === true,
    isQuiet: report.quiet,
    path: options.output,
  };
}

function adviceFor(error: RpcError, { method }: PlannedCall, hasCredential: boolean): string | undefined {
  if (error.code === -2 && error.side === "server")
    return "The server does not have this method: check --url and the schema version of the server.";
  if ((error.status !== 401 && error.status !== 403) || hasCredential) return undefined;
  const variables = credentialVariables(method.annotations.get("auth"));
  return `No credential was sent: set ${variables.join(" and ")}, or pass --header 'NAME: VALUE'.`;
}

/** Reports a request that does not match the contract. */
function rejectRequest({ lines, issues }: RequestFault, name: string, call: CallCall): ExitCode {
  const { terminal, report } = call;
  if (report.format === "json") {
    const error = { name: "InvalidRequest", code: -4, message: lines.join("; "), issues };
    terminal.out(`${JSON.stringify({ ok: false, error })}\n`);
  } else {
    const text = lines.map((line) => `  ${visible(line)}\n`).join("");
    const advice = call.options.check === false ? "" : " To send it as it is, use --no-check.";
    terminal.err(`ridlkit: The request does not match ${visible(name)}, and was not sent.${advice}\n${text}`);
  }
  return exitCode.findings;
}

function refuse(message: string, { terminal }: CallCall): ExitCode {
  terminal.err(usageText(message, "ridlkit help call"));
  return exitCode.usage;
}
