/** The form that calls a method, the response, and the call as curl command and client code. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { readRetryAfter } from "../../../runtime/src/time.ts";
import { callAddress } from "../call/address.ts";
import {
  type Advice,
  adviceFor,
  adviceForNoResponse,
  assignToFields,
  stalenessOf,
  withExamples,
} from "../call/advice.ts";
import type { ClientCall } from "../call/code.ts";
import { curlOf } from "../call/curl.ts";
import type { HostInfo, KeyInfo } from "../call/host-info.ts";
import { pastCallOf } from "../call/past-call.ts";
import { type CallRequest, type CallResponse, requestOf } from "../call/request.ts";
import { linkOf, maxLinkLength, omittedText, type SavedRequest, saveRequest } from "../call/saved-request.ts";
import { send } from "../call/send.ts";
import { fieldPaths } from "../form/hint.ts";
import type { FieldErrors } from "../form/request-body.ts";
import { type JsonNode, writeJson } from "../json/node.ts";
import { addressOf, keysOf, type Schema, type ServiceMethod } from "../schema/ir.ts";
import { bodyShape, hasFiles } from "../schema/shape.ts";
import { useExample } from "../state/examples.ts";
import type { Loaded } from "../state/load.ts";
import { links } from "../state/route.ts";
import type { History, KeyValues } from "../state/session.ts";
import { BodyForm, bodyOf, type Form } from "./body-form.tsx";
import type { CodeName } from "./call-code.tsx";
import { expectedOf } from "./expected.tsx";
import { commandKey } from "./header-panels.tsx";
import { CallList } from "./history-page.tsx";
import { ForcedError, MockControls, type MockHeaders } from "./mock-controls.tsx";
import { type Opening, openingOf, type Source } from "./opening.ts";
import { Code, Copy, copyText, lazy, Name, revealField, type Tab, Tabs } from "./parts.tsx";
import { ResponseView } from "./response-view.tsx";

export interface MethodCallProps {
  /** Shown between the line of the call and its form. */
  readonly about: ComponentChildren;
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
  readonly keyValues: KeyValues;
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

export function MethodCall(props: MethodCallProps) {
  const { loaded, found, keyValues, network, onNetwork, servers, server, onServer } = props;
  const { about, forms, formKey, source, history, firstCall } = props;
  const { schema, hostInfo } = loaded;
  const { service, method } = found;
  const shape = useMemo(() => bodyShape(schema, method, method.inputs), [schema, method]);
  const [opening] = useState(() => openingOf(loaded, found, servers, source));
  const [form, setForm] = useState<Form>(() => forms.get(formKey) ?? opening.form);
  const [mockHeaders, setMockHeaders] = useState<MockHeaders>(opening.mockHeaders);
  /** Of the next call only. */
  const [triedError, tryError] = useState("");
  const sentHeaders = triedError === "" ? mockHeaders : { ...mockHeaders, "mock-error": triedError };

  const hasNetwork = hostInfo.networkServices?.includes(service.name) === true;
  const usedNetwork = hasNetwork ? network : "";
  const wanted = keysOf(method);
  const keys = (hostInfo.keys ?? []).filter((key) => wanted.includes(key.name));
  const body = bodyOf(schema, shape, form);
  const { verb, path, hasBody, errors } = callAddress(schema, found, body.node);
  const isForm = hasFiles(schema, shape);
  const request = requestOf({
    server,
    network: usedNetwork,
    verb,
    path,
    keys,
    keyValues,
    body: hasBody ? writeJson(body.node) : undefined,
    files: isForm ? body.files : undefined,
    more: hostInfo.isMock === true ? sentHeaders : {},
  });
  const example = useExample(loaded.source, `${service.name}/${method.name}`);
  const saved = saveRequest(schema, shape, {
    body: body.node,
    isJson: form.kind === "json",
    settings: {
      ...(hasNetwork ? { network } : {}),
      ...(servers.length > 1 ? { server } : {}),
      ...Object.fromEntries(Object.entries(sentHeaders).filter(([, text]) => text !== "")),
    },
  });
  const faults = new Map([...errors, ...body.errors]);
  const fields = () => (form.kind === "form" ? [...fieldPaths(schema, shape, form.draft)] : [""]);
  const call = useCall(
    {
      loaded,
      found,
      request,
      saved: saved.text,
      faults,
      fields,
      valid: [bodyOf(schema, shape, opening.form).node, ...(example === undefined ? [] : [example.request])],
      server,
      network: usedNetwork,
      keys,
      keyValues,
      history,
    },
    opening,
  );
  useEffect(() => {
    if (opening.network !== undefined) onNetwork(opening.network);
    if (opening.server !== undefined) onServer(opening.server);
    if (firstCall.current === formKey) call.start();
    firstCall.current = undefined;
  }, []);

  // The call needs the header of the next render.
  useEffect(() => {
    if (triedError !== "") call.start();
    tryError("");
  }, [triedError]);

  const change = (changed: Form): void => {
    forms.set(formKey, changed);
    setForm(changed);
  };
  const start = useRef(call.start);
  start.current = call.start;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <CallLine schema={schema} found={found} path={path} />
      {about}
      <form
        id="call"
        class="request"
        onSubmit={(event) => {
          event.preventDefault();
          call.start();
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
          errors={call.advice}
          onNetwork={onNetwork}
        />
        <BodyForm
          title={hasBody ? "Body" : "Request"}
          schema={schema}
          shape={shape}
          form={form}
          hasFiles={isForm}
          errors={call.advice}
          onChange={change}
        />
        {hostInfo.isMock === true && (
          <MockControls schema={schema} method={method} headers={mockHeaders} onChange={setMockHeaders} />
        )}
        <div class="send">
          <CopyLink page={links.method(service.name, method.name)} saved={saved} />
        </div>
      </form>
      <div class="result">
        <ResponseView
          response={call.response}
          advice={call.advice}
          note={call.note}
          mockNote={<ForcedError headers={mockHeaders} onChange={setMockHeaders} />}
          onStop={call.stop}
          expected={expectedOf({
            schema,
            method,
            response: example?.response,
            onTry: hostInfo.isMock === true ? tryError : undefined,
            isForced: call.isForced,
          })}
        />
        {form.kind === "json" && body.errors.size > 0 ? (
          <p class="empty">The code appears when the JSON is valid.</p>
        ) : (
          <CodeTabs schema={schema} found={found} call={{ request, body: body.node, keys }} />
        )}
        <PastCalls history={history} found={found} shown={source.call?.id} />
      </div>
    </>
  );
}

interface CallLineProps {
  readonly schema: Schema;
  readonly found: ServiceMethod;
  /** With the values of the form. */
  readonly path: string;
}

/** Verb, path and the button that sends the form. Stays in view. */
function CallLine({ schema, found, path }: CallLineProps) {
  const { verb, path: template } = addressOf(schema, found);
  return (
    <div class="call-line">
      <strong class="verb">{verb}</strong>
      <code class="path" title={path}>
        <Name text={template} />
      </code>
      <Copy text={path} what="path" />
      <div class="send-bar">
        <kbd>{commandKey} Enter</kbd>
        <button type="submit" form="call" class="primary">
          {found.method.streamOutput === true ? "Open the stream" : "Send"}
        </button>
      </div>
    </div>
  );
}

interface PastCallsProps {
  readonly history: History;
  readonly found: ServiceMethod;
  /** The call whose request and response are shown. */
  readonly shown: number | undefined;
}

function PastCalls({ history, found: { service, method }, shown }: PastCallsProps) {
  const calls = history.calls.filter((one) => one.service === service.name && one.method === method.name);
  if (calls.length === 0) return null;
  return (
    <details class="past">
      <summary>
        History <span class="hint">{calls.length}</span>
      </summary>
      <CallList calls={calls} shown={shown} />
    </details>
  );
}

/** Chooses the server of a call, such as production or staging. */
interface ServerChoiceProps {
  readonly servers: readonly string[];
  readonly server: string;
  readonly onServer: (url: string) => void;
}

function ServerChoice({ servers, server, onServer }: ServerChoiceProps) {
  return (
    <div class="field">
      <div class="label">
        <label for="server">Server</label>
      </div>
      <select id="server" value={server} onChange={({ currentTarget }) => onServer(currentTarget.value)}>
        {servers.map((url) => (
          <option key={url}>{url}</option>
        ))}
      </select>
    </div>
  );
}

/* The call of a form as a command and as code. */

interface CodeTabsProps {
  readonly schema: Schema;
  readonly found: ServiceMethod;
  readonly call: ClientCall;
}

/** Only the curl command is shown at first, so the page loads the printers of other code later. */
const CallCode = lazy(() => import("./call-code.tsx").then((file) => file.CallCode));

const codeTitles: readonly (readonly [CodeName, string])[] = [
  ["client", "TypeScript"],
  ["query", "TanStack Query"],
  ["fetch", "fetch"],
  ["python", "Python"],
  ["go", "Go"],
];

function CodeTabs({ schema, found, call }: CodeTabsProps) {
  const { request, keys } = call;
  const isStream = found.method.streamOutput === true;
  // Of streams and of forms with files, these would need many more lines.
  const isLong = (name: CodeName): boolean =>
    (name === "fetch" && isStream) || (/fetch|go/.test(name) && request.files !== undefined);
  const tabs = codeTitles.flatMap(([name, title]): readonly Tab[] =>
    isLong(name)
      ? []
      : [
          {
            ...{ name, title },
            content: (
              <CallCode key={name} name={name} title={title} schema={schema} found={found} call={call} />
            ),
          },
        ],
  );
  const curl = <Code text={curlOf(request, keys)} label="curl code" language="shell" />;
  return (
    <Tabs
      id="code"
      label="This call as code"
      tabs={[{ name: "curl", title: "curl", content: curl }, ...tabs]}
    />
  );
}

/* Copies a link that opens the page with the request filled in. */

interface CopyLinkProps {
  /** The route of the method. */
  readonly page: string;
  readonly saved: SavedRequest;
}

function CopyLink({ page, saved: { text, omitted } }: CopyLinkProps) {
  const [status, setStatus] = useState("");
  const copy = async (): Promise<void> => {
    const link = linkOf(`${location.href.split("#")[0]}${page}`, text);
    if ("tooLong" in link) {
      setStatus(
        `Too long for a link: ${link.tooLong} characters, of at most ${maxLinkLength}. Share the curl command.`,
      );
      return;
    }
    if (!(await copyText(link.url)))
      setStatus("Copying failed: the browser allows it on HTTPS and localhost.");
    else setStatus(`Link copied${omitted.length === 0 ? "" : ` without ${omittedText(omitted)}`}.`);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        Copy link
      </button>
      <p class="hint" role="status">
        {status}
      </p>
    </>
  );
}

interface AccessProps {
  readonly hostInfo: HostInfo;
  readonly hasNetwork: boolean;
  readonly network: string;
  readonly keys: readonly KeyInfo[];
  readonly keyValues: KeyValues;
  readonly errors: FieldErrors;
  readonly onNetwork: (text: string) => void;
}

/** The network of a call, and the keys that it sends, which are entered in the header. */
function Access({ hostInfo, hasNetwork, network, keys, keyValues, errors, onNetwork }: AccessProps) {
  if (!hasNetwork && keys.length === 0) return null;
  const { networks = [] } = hostInfo;
  return (
    <div class="access">
      {hasNetwork && (
        <div class="field">
          <div class="label">
            <label for="network">Network</label>
          </div>
          <input
            type="text"
            id="network"
            list="networks"
            spellcheck={false}
            autocomplete="off"
            value={network}
            aria-invalid={errors.has("network")}
            aria-describedby="network:fault network:note"
            onInput={({ currentTarget }) => onNetwork(currentTarget.value.trim())}
          />
          <datalist id="networks">
            {networks.map(({ name, chainId }) => (
              <option key={name} value={name}>
                {chainId}
              </option>
            ))}
          </datalist>
          <ErrorText id="network:fault" text={errors.get("network")} />
          <p class="hint" id="network:note">
            Network name or chain ID for the request path. Leave empty for the default network.
          </p>
        </div>
      )}
      {keys.length > 0 && (
        <ul class="sent-keys">
          {keys.map(({ name, title }) => {
            const isThere = (keyValues[name] ?? "").trim() !== "";
            return (
              <li key={name}>
                {isThere ? `Sends the ${title.toLowerCase()}.` : `Needs the ${title.toLowerCase()}.`}{" "}
                <button type="button" class="link" onClick={() => revealField(`key:${name}`)}>
                  {isThere ? "Change" : "Enter it"}
                </button>
                <ErrorText id={`key:${name}:fault`} text={errors.get(`key:${name}`)} />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function ErrorText({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return (
    <p class="fault" id={id} hidden={text === undefined}>
      {text}
    </p>
  );
}

/** A call that can be sent. */
export interface FilledCall {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
  readonly request: CallRequest;
  /** The request as text, for the history. */
  readonly saved: string;
  /** What prevents the call. */
  readonly faults: Advice;
  /** The inputs of the body that can show advice, as JSON Pointers. */
  readonly fields: () => readonly string[];
  /** Example bodies, for messages. */
  readonly valid: readonly JsonNode[];
  readonly server: string;
  /** Empty: the service has no networks. */
  readonly network: string;
  readonly keys: readonly KeyInfo[];
  readonly keyValues: KeyValues;
  readonly history: History;
}

interface CallState {
  readonly response: CallResponse | undefined;
  /** About a response of the history. */
  readonly note: string;
  readonly advice: Advice;
  /** Whether a mock was asked to fail. */
  readonly isForced: boolean;
  readonly start: () => void;
  readonly stop: () => void;
}

const noAdvice: Advice = new Map();

/** Sends the calls of a method, one at a time. Keeps the response, and advice where a person can act on a failure. */
function useCall(call: FilledCall, opening: Opening): CallState {
  const { loaded, found, request, saved, faults, server, network, keys, keyValues, history } = call;
  const { schema, hostInfo } = loaded;
  const { method } = found;
  const [response, setResponse] = useState<CallResponse | undefined>(opening.response);
  const [note, setNote] = useState(opening.responseNote);
  const [advice, setAdvice] = useState<Advice>(noAdvice);
  const [isForced, setForced] = useState(opening.mockHeaders["mock-error"] !== undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  useEffect(() => {
    const fieldId = [...advice.keys()].find((at) => at !== "");
    if (fieldId !== undefined) revealField(fieldId);
  }, [advice]);

  const showAdvice = (given: Advice): void => {
    const otherInputs = [...given.keys()].filter((at) => !at.startsWith("/"));
    setAdvice(assignToFields(given, new Set([...call.fields(), ...otherInputs])));
  };
  const showFailure = ({ failure, headers }: CallResponse): void => {
    if (failure === undefined) return;
    const waitMs = readRetryAfter(headers.find(([header]) => header === "retry-after")?.[1] ?? "");
    const networks = hostInfo.networks?.flatMap(({ name, chainId }) => [name, String(chainId)]) ?? [];
    const context = { network, networks, keys, keyValues };
    const stale = stalenessOf(headers, schema.ir);
    const newAdvice = adviceFor(
      withExamples(failure, schema, bodyShape(schema, method, method.inputs), call.valid),
      waitMs === undefined ? context : { ...context, waitSeconds: Math.ceil(waitMs / 1_000) },
    );
    const fieldAdvice = [...newAdvice].filter(([at]) => at !== "");
    showAdvice(stale === undefined ? newAdvice : new Map([["", stale], ...fieldAdvice]));
  };
  const start = async (): Promise<void> => {
    stop();
    setAdvice(noAdvice);
    setNote("");
    setForced(request.headers["mock-error"] !== undefined);
    if (faults.size > 0) {
      setResponse(undefined);
      showAdvice(faults);
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    scrollToResponse();
    const at = Date.now();
    const received = await send(request, {
      isStream: method.streamOutput === true,
      isFile: isFileResponse(found),
      signal: controller.signal,
      onChange: (current) => {
        if (running.current === controller) setResponse(current);
      },
    }).catch(() => undefined);
    history.add(pastCallOf(schema, found, { at, request: saved, response: received }));
    if (running.current !== controller) return;
    if (received !== undefined) return showFailure(received);
    setResponse(undefined);
    showAdvice(adviceForNoResponse(server, location.origin, hostInfo.command));
  };
  return { response, note, advice, isForced, start: () => void start(), stop };
}

function isFileResponse({ method: { outputs } }: ServiceMethod): boolean {
  return outputs.length === 1 && outputs[0]?.type === "file";
}

/** Scrolls to the response on narrow screens, where it is below the form. */
function scrollToResponse(): void {
  const title = document.getElementById("answer-title");
  const result = title?.closest(".result") ?? document.body;
  if (getComputedStyle(result).position === "static") title?.scrollIntoView();
}
