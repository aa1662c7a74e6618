/** What a method's page shows at first: an example, the request of a link, or a call of the history. */
import { responseOf } from "../call/past-call.ts";
import type { CallResponse } from "../call/request.ts";
import { readRequest, type SettingChecks } from "../call/saved-request.ts";
import { draftOfJson } from "../form/draft.ts";
import { printJson } from "../json/node.ts";
import type { ServiceMethod } from "../schema/ir.ts";
import { bodyShape, hasFiles } from "../schema/shape.ts";
import type { NumberedCall } from "../state/history.ts";
import type { Loaded } from "../state/load.ts";
import { type Form, firstForm } from "./body-form.tsx";
import { type MockHeaders, mockHeaderNames } from "./mock-controls.tsx";
import { timeText } from "./parts.tsx";

/** Where a request comes from. Empty: from the example. */
export interface Source {
  /** A saved request. */
  readonly link?: string | undefined;
  readonly call?: NumberedCall | undefined;
}

export interface Opening {
  readonly form: Form;
  /** Undefined: the one that is chosen. */
  readonly network: string | undefined;
  readonly server: string | undefined;
  readonly mockHeaders: MockHeaders;
  readonly response: CallResponse | undefined;
  /** About the request. */
  readonly note: string;
  readonly responseNote: string;
}

export function openingOf(
  { schema, hostInfo, sandbox }: Loaded,
  found: ServiceMethod,
  servers: readonly string[],
  { link, call }: Source,
): Opening {
  const { service, method } = found;
  const name = `${service.name}/${method.name}`;
  const shape = bodyShape(schema, method, method.inputs);
  const isForm = hasFiles(schema, shape);
  const checks: SettingChecks = {
    ...(hostInfo.networkServices?.includes(service.name) === true ? { network: isLine } : {}),
    // A link must not choose who gets the keys.
    server: (url) => servers.includes(url),
    ...(hostInfo.isMock === true
      ? Object.fromEntries(mockHeaderNames.map((header) => [header, isLine]))
      : {}),
  };
  const saved = link ?? call?.request ?? "";
  const { body, isJson, settings, faults } = readRequest(schema, shape, saved, checks);
  const { network, server, ...mockHeaders } = settings;
  const form: Form =
    body === undefined
      ? firstForm(schema, shape, sandbox?.examples[name] ?? hostInfo.examples?.[name])
      : isJson && !isForm
        ? { kind: "json", text: printJson(body) }
        : { kind: "form", draft: draftOfJson(schema, shape, body) };
  const notes = [
    ...(link === undefined ? [] : ["Filled in from a link."]),
    ...faults,
    ...(isForm && saved !== "" ? ["Choose the files again."] : []),
  ];
  const responseNotes =
    call === undefined
      ? []
      : [
          `Call of ${timeText(call.at)}.`,
          ...(call.status === undefined && !call.isStopped ? ["The server did not respond."] : []),
          ...call.notes,
        ];
  return {
    ...{ form, network, server, mockHeaders },
    response: call === undefined || call.status === undefined ? undefined : responseOf(call),
    note: notes.join(" "),
    responseNote: responseNotes.join(" "),
  };
}

/** Characters that headers and paths may have. */
function isLine(text: string): boolean {
  return /^[ -~]{0,200}$/.test(text);
}
