import { filterModel } from "../../../codegen/plan/filter.ts";
import { isOmitted } from "../../../codegen/plan/plan.ts";
import { type CompiledSchema, compile, errorsOf } from "../../../language/compile.ts";
import type { Model } from "../../../language/model/model.ts";
import { readArgument } from "../call/arguments.ts";
import { fetchContract, findMethod, fullName, listed, type MethodName } from "../call/contract.ts";
import { planCall } from "../call/send.ts";
import { type CallCall, callOptions, credentialsFor, readSettings } from "../call/settings.ts";
import { type Command, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { schemaOptions } from "../options.ts";
import { reportCommandError, reportFindings } from "../output/report.ts";

export const call: Command = defineCommand({
  name: "call",
  usage: "METHOD [JSON | @FILE | -] [options]",
  description: `Calls METHOD, such as Shop.GetOrder, or GetOrder if only one service has it. The request is the
argument, a file (@request.json) or standard input (-). Without it, the request is empty. It is
checked as the generated server does, and sent as the generated client does: on its route, with
files, or as a stream. JSON keeps every digit, in both directions.

The server is --url, RIDLKIT_URL, or the first of openapi.servers in the configuration. The contract
is --schema, or the configuration's schema, or else /schema.json or /explorer/schema.json of the
server, if it publishes one.

RIDLKIT_AUTH holds the credential of methods with @auth. A method that needs several, such as
@auth:"accessKey,secretKey", reads RIDLKIT_AUTH_ACCESS_KEY and RIDLKIT_AUTH_SECRET_KEY. The headers
come from openapi.securitySchemes of the configuration. Without it, a name that ends with "key" is
sent as X-Access-Key, and any other as Authorization: Bearer. If no method of the schema has @auth,
every call sends RIDLKIT_AUTH.

The value of a field of type file is "@PATH"; other text with @ is text. A response that is a file
goes to --output, or to standard output if that is not a terminal. The items of a stream are printed
as they arrive, one a line; Ctrl-C ends the stream.

With --format json:
  { ok, status, headers, response | file | error: { name, code, message, cause, issues, data } }
and for a stream a line { item } for each item before it.

The exit code is 1 if the request is invalid or the server returned an error, and 4 if no usable
response came.`,
  options: { ...schemaOptions, ...callOptions },
  exclusiveOptions: [
    ["schema", "project"],
    ["curl", "include"],
  ],
  takesOneSchema: true,
  takesNames: true,
  mayLackSchema: true,
  jsonStream: "lines",
  examples: [
    { command: `ridlkit call Shop.GetOrder '{"id":7}'`, description: "Call the configuration's server" },
    { command: "ridlkit call GetOrder - --url http://localhost:4000", description: "Read standard input" },
    { command: `ridlkit call SetPhoto '{"id":7,"photo":"@me.png"}'`, description: "Upload a file" },
    { command: `ridlkit call Shop.GetOrder '{"id":7}' --curl`, description: "Print a curl command" },
  ],
  async run(call) {
    const [schema] = call.schemas;
    const settings = readSettings(call, schema);
    if (typeof settings === "string") return call.refuse(settings);
    const [wanted, argument, ...more] = call.positionals;
    const stray = more[0] ?? (isRequest(argument, call) ? undefined : argument);
    if (stray !== undefined)
      return call.refuse(`"call" takes METHOD and JSON; found "${stray}". Quote the JSON: '{"id":7}'.`);
    const contract =
      schema === undefined
        ? await fetchContract(settings.address, settings.headers)
        : compile(schema.path, call.reader, schema);
    if (typeof contract === "string") return fail(contract, call);
    if (contract.result === undefined) {
      reportFindings(call.report, errorsOf(contract));
      return exitCode.findings;
    }
    const model = modelOf(contract.result, call);
    const names = methodNames(model);
    if (wanted === undefined) return call.refuse(`Missing METHOD. Methods: ${listed(names)}.`);
    const name = findMethod(wanted, names);
    if (typeof name === "string") return call.refuse(name);
    const planned = planCall(model, name, schema?.generation?.protocolErrors);
    if (planned === undefined || isOmitted(planned.method))
      return call.refuse(`${fullName(name)} streams its request, which is not supported.`);
    if (call.options.get === true && planned.method.read === undefined)
      return call.refuse(`--get calls methods with @cache; ${fullName(name)} has none.`);
    const read = await readArgument(argument, call.reader);
    if ("reason" in read) return call.refuse(read.reason);
    const credentials = credentialsFor({
      auth: planned.method.annotations.get("auth"),
      isUsed: usesAuth(model),
      schema,
      env: call.env,
    });
    const { send } = await import("../call/send.ts");
    return send({ planned, text: read.text, settings, credentials }, call);
  },
});

/** Whether an argument looks like JSON. Another text, such as `id=7`, is sent with --no-check only. */
function isRequest(argument: string | undefined, { options }: CallCall): boolean {
  return argument === undefined || options.check === false || /^(@|-$|\s*[{[])/.test(argument);
}

function modelOf({ model }: CompiledSchema, { schemas }: CallCall): Model {
  const [schema] = schemas;
  return schema === undefined ? model : filterModel(model, schema.filter);
}

function methodNames({ services }: Model): readonly MethodName[] {
  return services.flatMap(({ name: service, methods }) =>
    methods.map(({ name: method }) => ({ service, method })),
  );
}

function usesAuth({ services }: Model): boolean {
  return services.some(({ methods }) =>
    methods.some(({ annotations }) => annotations.some(({ name }) => name === "auth")),
  );
}

/** Reports a server without a contract. */
function fail(message: string, { report }: CallCall): ExitCode {
  reportCommandError({ kind: "usage", message, help: "ridlkit help call" }, report);
  return exitCode.noResponse;
}
