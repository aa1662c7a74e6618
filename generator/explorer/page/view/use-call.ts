/** Sends the calls of a method, one at a time. Keeps the response, and advice where a person can act on a failure. */
import { useEffect, useRef, useState } from "preact/hooks";
import { readRetryAfter } from "../../../runtime/src/time.ts";
import { type Advice, adviceFor, adviceForNoResponse, assignToFields, stalenessOf } from "../call/advice.ts";
import type { KeyInfo } from "../call/host-info.ts";
import { pastCallOf } from "../call/past-call.ts";
import type { CallRequest, CallResponse } from "../call/request.ts";
import { send } from "../call/send.ts";

import type { ServiceMethod } from "../schema/ir.ts";
import type { History } from "../state/history.ts";
import type { Loaded } from "../state/load.ts";
import type { KeyValues } from "../state/session.ts";
import type { Opening } from "./opening.ts";

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
  readonly start: () => void;
  readonly stop: () => void;
}

const noAdvice: Advice = new Map();

export function useCall(call: FilledCall, opening: Opening): CallState {
  const { loaded, found, request, saved, faults, server, network, keys, keyValues, history } = call;
  const { schema, hostInfo } = loaded;
  const { method } = found;
  const [response, setResponse] = useState<CallResponse | undefined>(opening.response);
  const [note, setNote] = useState(opening.responseNote);
  const [advice, setAdvice] = useState<Advice>(noAdvice);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  useEffect(() => {
    const fieldId = [...advice.keys()].find((at) => at !== "");
    if (fieldId !== undefined) document.getElementById(fieldId)?.focus();
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
      failure,
      waitMs === undefined ? context : { ...context, waitSeconds: Math.ceil(waitMs / 1_000) },
    );
    const fieldAdvice = [...newAdvice].filter(([at]) => at !== "");
    showAdvice(stale === undefined ? newAdvice : new Map([["", stale], ...fieldAdvice]));
  };
  const start = async (): Promise<void> => {
    stop();
    setAdvice(noAdvice);
    setNote("");
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
  return { response, note, advice, start: () => void start(), stop };
}

function isFileResponse({ method: { outputs } }: ServiceMethod): boolean {
  return outputs.length === 1 && outputs[0]?.type === "file";
}

/** Scrolls to the response on narrow screens, where it is below the form. */
function scrollToResponse(): void {
  if (matchMedia("(max-width: 1080px)").matches) document.getElementById("answer-title")?.scrollIntoView();
}
