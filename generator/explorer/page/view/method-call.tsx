/** The form that calls a method, the response, and the call as curl command and client code. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { callAddress } from "../call/address.ts";
import { type ClientCall, clientCode, curlOf, fetchCode, queryCode } from "../call/code.ts";
import { requestOf } from "../call/request.ts";
import { linkLengthMax, linkOf, omittedText, type SavedRequest, saveRequest } from "../call/saved-request.ts";
import { fieldPaths } from "../form/hint.ts";
import { writeJson } from "../json/node.ts";
import { keysOf, type Schema, type ServiceMethod } from "../schema/ir.ts";
import { bodyShape, hasFiles } from "../schema/shape.ts";
import type { History } from "../state/history.ts";
import type { Loaded } from "../state/load.ts";
import { links } from "../state/route.ts";
import type { KeyValues } from "../state/session.ts";
import { Access } from "./access.tsx";
import { BodyForm, bodyOf, type Form } from "./body-form.tsx";
import { CallList } from "./history-page.tsx";
import { MockControls, type MockHeaders } from "./mock-controls.tsx";
import { openingOf, type Source } from "./opening.ts";
import { Code, copyText, type Tab, Tabs } from "./parts.tsx";
import { ResponseView } from "./response-view.tsx";
import { useCall } from "./use-call.ts";

export interface MethodCallProps {
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

export function MethodCall(props: MethodCallProps) {
  const { loaded, found, keyValues, onKey, network, onNetwork, servers, server, onServer } = props;
  const { forms, formKey, source, history, firstCall } = props;
  const { schema, hostInfo } = loaded;
  const { service, method } = found;
  const shape = useMemo(() => bodyShape(schema, method, method.inputs), [schema, method]);
  const [opening] = useState(() => openingOf(loaded, found, servers, source));
  const [form, setForm] = useState<Form>(() => forms.get(formKey) ?? opening.form);
  const [mockHeaders, setMockHeaders] = useState<MockHeaders>(opening.mockHeaders);

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

  const change = (changed: Form): void => {
    forms.set(formKey, changed);
    setForm(changed);
  };
  return (
    <>
      <form
        class="request"
        onSubmit={(event) => {
          event.preventDefault();
          call.start();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) call.start();
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
          onKey={onKey}
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
          <button type="submit" class="primary">
            {method.streamOutput === true ? "Open the stream" : "Send"}
          </button>
          <kbd>Ctrl Enter</kbd>
          <CopyLink page={links.method(service.name, method.name)} saved={saved} />
        </div>
      </form>
      <div class="result">
        <ResponseView response={call.response} advice={call.advice} note={call.note} onStop={call.stop} />
        <CodeTabs schema={schema} found={found} call={{ request, body: body.node, keys }} />
        <PastCalls history={history} found={found} shown={source.call?.id} />
      </div>
    </>
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

function CodeTabs({ schema, found, call }: CodeTabsProps) {
  const { request, keys } = call;
  const fetched = found.method.streamOutput === true ? undefined : fetchCode(request, keys);
  const tabs: readonly Tab[] = [
    { name: "curl", title: "curl", content: <Code isPlain label="curl" text={curlOf(request, keys)} /> },
    {
      name: "client",
      title: "TypeScript",
      content: <Code label="client code" text={clientCode(schema, found, call)} />,
    },
    {
      name: "query",
      title: "TanStack Query",
      content: <Code label="code for TanStack Query" text={queryCode(schema, found, call)} />,
    },
    ...(fetched === undefined
      ? []
      : [{ name: "fetch", title: "fetch", content: <Code label="code with fetch" text={fetched} /> }]),
  ];
  return <Tabs id="code" label="This call as code" tabs={tabs} />;
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
        `Too long for a link: ${link.tooLong} characters, of at most ${linkLengthMax}. Share the curl command.`,
      );
      return;
    }
    if (!(await copyText(link.url)))
      setStatus("Copying failed: the browser allows it on HTTPS and localhost.");
    else setStatus(`Link copied${omitted.length === 0 ? "" : ` without ${omittedText(omitted)}`}.`);
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link
      </button>
      <p class="hint" role="status">
        {status}
      </p>
    </>
  );
}
