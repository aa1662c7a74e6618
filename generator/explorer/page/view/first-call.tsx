/** The most telling call of the contract with its response: what a person sees first. */
import { useEffect, useState } from "preact/hooks";
import { callAddress } from "../call/address.ts";
import { curlOf } from "../call/curl.ts";
import { type CallResponse, requestOf } from "../call/request.ts";
import { send } from "../call/send.ts";
import { printJson, writeJson } from "../json/node.ts";
import { docsOf, isQuery, isRead, keysOf, type ServiceMethod } from "../schema/ir.ts";
import { firstSentence } from "../schema/search.ts";
import { bodyShape } from "../schema/shape.ts";
import { useExample } from "../state/examples.ts";
import type { Loaded } from "../state/load.ts";
import { links } from "../state/route.ts";
import type { KeyValues } from "../state/session.ts";
import { bodyOf } from "./body-form.tsx";
import { JsonView } from "./json-view.tsx";
import { openingOf } from "./opening.ts";
import { Code, durationText, marked, Name } from "./parts.tsx";

interface FirstCallProps {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
  readonly server: string;
  readonly network: string;
  readonly keyValues: KeyValues;
  readonly onCall: () => void;
}

export function FirstCall({ loaded, found, server, network, keyValues, onCall }: FirstCallProps) {
  const { schema, hostInfo } = loaded;
  const { service, method } = found;
  const shape = bodyShape(schema, method, method.inputs);
  const { node } = bodyOf(schema, shape, openingOf(loaded, found, [server], {}).form);
  const { verb, path, hasBody, errors } = callAddress(schema, found, node);
  const keys = (hostInfo.keys ?? []).filter(({ name }) => keysOf(method).includes(name));
  const request = requestOf({
    ...{ server, verb, path, keys, keyValues },
    network: hostInfo.networkServices?.includes(service.name) === true ? network : "",
    body: hasBody ? writeJson(node) : undefined,
  });
  const [response, setResponse] = useState<CallResponse>();
  const [hasFailed, setFailed] = useState(false);
  const { isMock = false, isSandbox = false } = hostInfo;
  // Only where a call without a click does no harm.
  const isLive = errors.size === 0 && ((isMock && isQuery(method)) || (isSandbox && isRead(method)));
  useEffect(() => {
    if (!isLive) return;
    const controller = new AbortController();
    send(request, {
      ...{ isStream: false, isFile: false, signal: controller.signal },
      onChange: setResponse,
    }).catch(() => setFailed(true));
    return () => controller.abort();
  }, []);
  const isThere = response?.state === "done" && response.status === 200;
  const text = isThere ? response.texts[0] : undefined;
  const isExpected = isLive && !hasFailed && response?.state !== "done";
  const example = useExample(
    text !== undefined || isExpected ? undefined : loaded.source,
    `${service.name}/${method.name}`,
  );
  const shown = text ?? (example && printJson(example.response));
  return (
    <section class="card first-call" aria-labelledby="first-call-title">
      <header>
        <h2 id="first-call-title">
          <Name text={`${service.name}.${method.name}`} />
        </h2>
        <p class="note">{marked(firstSentence(docsOf(method.comments)))}</p>
        <a class="primary" href={links.method(service.name, method.name)} onClick={onCall}>
          Try it
        </a>
      </header>
      <div class="halves">
        <Code text={curlOf(request, keys)} label="first call" language="shell" />
        <div>
          {shown !== undefined && <JsonView text={shown} label="response of the first call" />}
          <p class="hint">
            {text !== undefined
              ? `200 · ${durationText(response?.tookMs ?? 0)}`
              : shown !== undefined && "Example of the response"}
          </p>
        </div>
      </div>
    </section>
  );
}
