/** A method: its description, a form that calls it, the response, and the call as curl command and client code. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { callAddress } from "../call/address.ts";
import { type Advice, adviceFor, adviceForNoResponse, assignToFields } from "../call/advice.ts";
import { pastCallOf } from "../call/past-call.ts";
import { requestOf } from "../call/request.ts";
import type { CallResponse } from "../call/response.ts";
import { saveRequest } from "../call/saved-request.ts";
import { send } from "../call/send.ts";
import { stalenessOf } from "../call/staleness.ts";
import { fieldPaths } from "../form/hint.ts";
import { writeJson } from "../json/node.ts";
import { addressOf, keysOf, type ServiceMethod } from "../schema/ir.ts";
import { bodyShape, hasFiles } from "../schema/shape.ts";
import type { History } from "../state/history.ts";
import type { Loaded } from "../state/load.ts";
import { links } from "../state/route.ts";
import type { KeyValues } from "../state/session.ts";
import { Access } from "./access.tsx";
import { BodyForm, bodyOf, type Form } from "./body-form.tsx";
import { CodeTabs } from "./code-tabs.tsx";
import { CopyLink } from "./copy-link.tsx";
import { CallList } from "./history-page.tsx";
import { MethodBadges } from "./method-badges.tsx";
import { MockControls, type MockHeaders } from "./mock-controls.tsx";
import { openingOf, type Source } from "./opening.ts";
import { Docs, TypeName } from "./parts.tsx";
import { ResponseView } from "./response-view.tsx";
import { ServerChoice } from "./server-choice.tsx";

export interface MethodPageProps {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
  readonly keyValues: KeyValues;
  readonly onKey: (name: string, text: string) => void;
  readonly network: string;
  readonly onNetwork: (text: string) => void;
  /** The URLs of the server, and the one that is called. */
  readonly servers: readonly string[];
  readonly server: string;
  readonly onServer: (url: string) => void;
  /** Typed values, kept while other pages are shown. */
  readonly forms: Map<string, Form>;
  /** The key of this page's values in `forms`. */
  readonly formKey: string;
  readonly source: Source;
  readonly history: History;
  /** The method that is called as soon as its page is shown. */
  readonly firstCall: { current: string | undefined };
}

const noAdvice: Advice = new Map();

export function MethodPage(props: MethodPageProps) {
  const { loaded, found, keyValues, onKey, network, onNetwork, servers, server, onServer } = props;
  const { forms, formKey, source, history, firstCall } = props;
  const { schema, hostInfo } = loaded;
  const { service, method } = found;
  const shape = useMemo(() => bodyShape(schema, method, method.inputs), [schema, method]);
  const [opening] = useState(() => openingOf(loaded, found, servers, source));
  const [form, setForm] = useState<Form>(() => forms.get(formKey) ?? opening.form);
  const [response, setResponse] = useState<CallResponse | undefined>(opening.response);
  const [responseNote, setResponseNote] = useState(opening.responseNote);
  const [advice, setAdvice] = useState<Advice>(noAdvice);
  const [mockHeaders, setMockHeaders] = useState<MockHeaders>(opening.mockHeaders);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    if (opening.network !== undefined) onNetwork(opening.network);
    if (opening.server !== undefined) onServer(opening.server);
    if (firstCall.current === formKey) void call();
    firstCall.current = undefined;
    return () => running.current?.abort();
  }, []);
  useEffect(() => {
    const fieldId = [...advice.keys()].find((at) => at !== "");
    if (fieldId !== undefined) document.getElementById(fieldId)?.focus();
  }, [advice]);

  const hasNetwork = hostInfo.networkServices?.includes(service.name) === true;
  const wanted = keysOf(method);
  const keys = (hostInfo.keys ?? []).filter((key) => wanted.includes(key.name));
  const ownCalls = history.calls.filter((one) => one.service === service.name && one.method === method.name);
  const body = bodyOf(schema, shape, form);
  const { verb, path, hasBody, errors } = callAddress(schema, found, body.node);
  const isForm = hasFiles(schema, shape);
  const request = requestOf({
    server,
    network: hasNetwork ? network : "",
    verb,
    path,
    keys,
    keyValues,
    body: hasBody ? writeJson(body.node) : undefined,
    files: isForm ? body.files : undefined,
    more: hostInfo.isMock === true ? mockHeaders : {},
  });
  const saved = saveRequest(schema, shape, {
    body: body.node,
    isJson: form.kind === "json",
    settings: {
      ...(hasNetwork ? { network } : {}),
      ...(servers.length > 1 ? { server } : {}),
      ...Object.fromEntries(Object.entries(mockHeaders).filter(([, text]) => text !== "")),
    },
  });

  const change = (changed: Form): void => {
    forms.set(formKey, changed);
    setForm(changed);
  };
  const showAdvice = (given: Advice): void => {
    const fields = form.kind === "form" ? fieldPaths(schema, shape, form.draft) : new Set([""]);
    const otherInputs = [...given.keys()].filter((at) => !at.startsWith("/"));
    setAdvice(assignToFields(given, new Set([...fields, ...otherInputs])));
  };
  const call = async (): Promise<void> => {
    running.current?.abort();
    setAdvice(noAdvice);
    setResponseNote("");
    const faults = new Map([...errors, ...body.errors]);
    if (faults.size > 0) {
      setResponse(undefined);
      showAdvice(faults);
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    scrollToResponse();
    const onChange = (current: CallResponse): void => {
      if (running.current === controller) setResponse(current);
    };
    const at = Date.now();
    const received = await send(request, {
      isStream: method.streamOutput === true,
      isFile: isFileResponse(method),
      signal: controller.signal,
      onChange,
    }).catch(() => undefined);
    history.add(pastCallOf(schema, found, { at, request: saved.text, response: received }));
    if (running.current !== controller) return;
    if (received !== undefined) return showFailure(received);
    setResponse(undefined);
    showAdvice(adviceForNoResponse(server, location.origin, hostInfo.command));
  };
  const showFailure = ({ failure, headers }: CallResponse): void => {
    if (failure === undefined) return;
    const wait = headers.find(([header]) => header === "retry-after")?.[1];
    const networks =
      hostInfo.networks?.flatMap(({ name: networkName, chainId }) => [networkName, String(chainId)]) ?? [];
    const context = {
      network: hasNetwork ? network : "",
      networks,
      keys,
      keyValues,
    };
    const stale = stalenessOf(headers, schema.ir);
    const newAdvice = adviceFor(
      failure,
      wait === undefined ? context : { ...context, waitSeconds: Number(wait) },
    );
    const fieldAdvice = [...newAdvice].filter(([at]) => at !== "");
    showAdvice(stale === undefined ? newAdvice : new Map([["", stale], ...fieldAdvice]));
  };
  const header = (
    <header>
      <p class="crumb">{service.name}</p>
      <h1>{method.name}</h1>
      <MethodBadges method={method} hostInfo={hostInfo} />
      {method.route !== undefined && <Address loaded={loaded} found={found} />}
      <Docs comments={method.comments} />
      <Signature loaded={loaded} found={found} />
    </header>
  );
  if (method.streamInput === true)
    return (
      <article>
        {header}
        <p class="advice">
          This method streams its request. Generated servers and clients do not support that.
        </p>
      </article>
    );
  return (
    <article class="method">
      {header}
      <form
        class="request"
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void call();
        }}
      >
        {opening.note !== "" && <p class="advice">{opening.note}</p>}
        {servers.length > 1 && <ServerChoice servers={servers} server={server} onServer={onServer} />}
        <Access
          hostInfo={hostInfo}
          hasNetwork={hasNetwork}
          network={network}
          keys={keys}
          keyValues={keyValues}
          errors={advice}
          onNetwork={onNetwork}
          onKey={onKey}
        />
        <BodyForm
          title={hasBody ? "Body" : "Request"}
          schema={schema}
          shape={shape}
          form={form}
          hasFiles={isForm}
          errors={advice}
          onChange={change}
        />
        {hostInfo.isMock === true && (
          <MockControls schema={schema} method={method} headers={mockHeaders} onChange={setMockHeaders} />
        )}
        <div class="send">
          <button type="submit" class="primary">
            {method.streamOutput === true ? "Open the stream" : "Send"}
          </button>
          <kbd>Ctrl Enter</kbd>
          <CopyLink page={links.method(service.name, method.name)} saved={saved} />
        </div>
      </form>
      <div class="result">
        <ResponseView
          response={response}
          advice={advice}
          note={responseNote}
          onStop={() => running.current?.abort()}
        />
        <CodeTabs schema={schema} found={found} call={{ request, body: body.node, keys }} />
        {ownCalls.length > 0 && (
          <details class="past">
            <summary>
              History <span class="hint">{ownCalls.length}</span>
            </summary>
            <CallList calls={ownCalls} shown={source.call?.id} />
          </details>
        )}
      </div>
    </article>
  );
}

function isFileResponse({ outputs }: ServiceMethod["method"]): boolean {
  return outputs.length === 1 && outputs[0]?.type === "file";
}

/** Scrolls to the response on narrow screens, where it is below the form. */
function scrollToResponse(): void {
  if (matchMedia("(max-width: 1080px)").matches) document.getElementById("answer-title")?.scrollIntoView();
}

/** `GET /rpc/orders/{id}` */
function Address({ loaded: { schema }, found }: { readonly loaded: Loaded; readonly found: ServiceMethod }) {
  const { verb, path } = addressOf(schema, found);
  return (
    <p class="address">
      <code>
        {verb} {path}
      </code>
    </p>
  );
}

/** The types of the request and the response, and the possible errors. */
function Signature({
  loaded: { schema },
  found: { method },
}: {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
}) {
  const types = (args: typeof method.inputs) =>
    args.length === 0
      ? "nothing"
      : args.map(({ name, type }, index) => (
          <span key={name}>
            {index > 0 && ", "}
            {method.succinct === true ? "" : `${name}: `}
            <TypeName schema={schema} type={type} />
          </span>
        ));
  return (
    <dl class="signature">
      <div>
        <dt>Request</dt>
        <dd>{types(method.inputs)}</dd>
      </div>
      <div>
        <dt>{method.streamOutput === true ? "Items" : "Response"}</dt>
        <dd>{types(method.outputs)}</dd>
      </div>
      {method.errors !== undefined && (
        <div>
          <dt>Errors</dt>
          <dd>
            {method.errors.map((error, index) => (
              <span key={error}>
                {index > 0 && ", "}
                <a href={links.error(error)}>{error}</a>
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
