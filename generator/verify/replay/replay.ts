import { possibleErrors } from "../../codegen/plan/errors.ts";
import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import {
  isOmitted,
  type PlannedMethod,
  type PlannedService,
  type TypeFinder,
} from "../../codegen/plan/plan.ts";
import { credentialNames } from "../../language/model/annotations.ts";
import type { LoadedContract } from "../in-memory/load.ts";
import { callRequest } from "../requests/routed-request.ts";
import { ResponseValidator } from "../responses/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { httpRequest } from "./http-request.ts";
import { type RecordedCall, withoutRedactions } from "./recording.ts";
import { credentialsHeader, distinct, fileContents, StubServer, toHandlerValue } from "./stub-server.ts";

/** A problem with the calls of one method. Each kind of problem is reported once. */
export interface ReplayFinding {
  readonly verdict: "breaks" | "differs";
  readonly service: string;
  readonly method: string;
  /** The part of the call with the problem. */
  readonly where: "request" | "response" | "error";
  readonly message: string;
  /** The request that was sent. */
  readonly request: Json;
}

export interface ReplayOptions {
  readonly seed: number;
  /** Number of requests per method, and of responses per method. */
  readonly count: number;
  /** Recorded calls, which replace generated requests. */
  readonly calls?: readonly RecordedCall[] | undefined;
  /** The server converts the calls of this version, so that its handlers receive other values. */
  readonly converts?: boolean;
  /** Called before each method. */
  readonly onProgress?: (done: number, methods: number) => void;
}

/** Calls the server of one version with the client of the other, in memory, using the generated code of both. */
export async function replay(
  callers: LoadedContract,
  server: LoadedContract,
  options: ReplayOptions,
): Promise<readonly ReplayFinding[]> {
  const findings: ReplayFinding[] = [];
  const sides: Sides = {
    callers,
    callersStub: new StubServer(callers, options),
    serverStub: new StubServer(server, options),
    validator: await ResponseValidator.of(callers.jsonSchema),
  };
  const methods = callers.plan.services.flatMap((service) =>
    service.methods.filter((one) => !isOmitted(one)).map((method) => ({ service, method })),
  );
  for (const [done, { service, method }] of methods.entries()) {
    options.onProgress?.(done, methods.length);
    findings.push(...(await new MethodReplay(sides, service, method, options).run()));
  }
  return findings;
}

interface Sides {
  readonly callers: LoadedContract;
  readonly callersStub: StubServer;
  readonly serverStub: StubServer;
  readonly validator: ResponseValidator;
}

const host = "http://replay";

class MethodReplay {
  readonly #callers: LoadedContract;
  readonly #service: PlannedService;
  readonly #method: PlannedMethod;
  readonly #options: ReplayOptions;
  readonly #types: TypeFinder;
  readonly #callersStub: StubServer;
  readonly #serverStub: StubServer;
  readonly #findings = new Map<string, ReplayFinding>();
  readonly #validator: ResponseValidator;

  constructor(
    { callers, callersStub, serverStub, validator }: Sides,
    service: PlannedService,
    method: PlannedMethod,
    options: ReplayOptions,
  ) {
    this.#callers = callers;
    this.#service = service;
    this.#method = method;
    this.#options = options;
    this.#types = callers.plan.finder;
    this.#callersStub = callersStub;
    this.#serverStub = serverStub;
    this.#validator = validator;
  }

  async run(): Promise<readonly ReplayFinding[]> {
    const requests = distinct(this.#requests());
    let accepted: Json | undefined;
    for (const request of requests) if (await this.#replayRequest(request)) accepted ??= request;
    if (accepted !== undefined) {
      await this.#replayResponses(accepted);
      await this.#replayErrors(accepted);
      this.#checkRetries(accepted);
      this.#checkReads(accepted);
    }
    return [...this.#findings.values()];
  }

  #requests(): readonly Json[] {
    const { calls, seed, count } = this.#options;
    const { name, request } = this.#method;
    const recorded = calls?.filter((call) => call.service === this.#service.name && call.method === name);
    const random = seededRandom(seed);
    if (recorded !== undefined) {
      const samples = new Samples(this.#callers.plan, {
        side: "request",
        random,
        style: "plain",
        optional: "all",
      });
      return recorded.flatMap((call) =>
        call.request === undefined
          ? []
          : [withoutRedactions(this.#callers.plan, request.typeName, call.request, samples)],
      );
    }
    const optional = ["all", "none", "some"] as const;
    return Array.from({ length: request.isEmpty ? 1 : count }, (_, index) =>
      new Samples(this.#callers.plan, {
        side: "request",
        random,
        style: "edges",
        optional: optional[Math.min(index, 2)] ?? "some",
      }).body(request.typeName),
    );
  }

  /** Sends a request, and returns whether the server accepts it. Skips requests that the callers' version rejects itself. */
  async #replayRequest(request: Json): Promise<boolean> {
    const own = await this.#send(this.#callersStub, request);
    if (own.seen === undefined) return false;
    const other = await this.#send(this.#serverStub, request);
    if (other.seen === undefined) {
      this.#report("breaks", "request", other.rejection, request);
      return false;
    }
    if (this.#options.converts === true) return true;
    const difference = compareReceived(
      {
        own: this.#callersStub.read(this.#service, this.#method, own.seen.request),
        other: this.#serverStub.read(this.#service, this.#method, other.seen.request),
        sent: request,
      },
      this.#callersStub.fieldNames,
    );
    if (difference !== undefined) this.#report(difference.verdict, "request", difference.message, request);
    return true;
  }

  /** Sends a request to a stub server, on the route of the callers' version. */
  async #send(
    stub: StubServer,
    request: Json,
  ): Promise<{ readonly seen: { readonly request: unknown } | undefined; readonly rejection: string }> {
    stub.takeReceived();
    const call = callRequest(this.#types, this.#method, request);
    if (call === undefined) return { seen: undefined, rejection: "its URL cannot hold the values" };
    const files = this.#method.files.map(({ name }) => name);
    const response = await stub.fetch(httpRequest(host, { ...call, files }, this.#headers()));
    const text = await response.text();
    const rejection = `the server returns ${response.status}: ${causeOf(text)}`;
    const name = `${this.#service.name}.${this.#method.name}`;
    const received = stub.takeReceived();
    if (received !== undefined && received.method !== name && this.#options.converts !== true)
      return { seen: undefined, rejection: `the server calls ${received.method}` };
    return { seen: received, rejection };
  }

  #headers(): Readonly<Record<string, string>> {
    if (this.#options.converts !== true) return this.#credentials();
    const { schemaName, schemaVersion } = this.#callers.plan;
    return { ...this.#credentials(), webrpc: `webrpc;ridlkit;${schemaName}@${schemaVersion}` };
  }

  #credentials(): Readonly<Record<string, string>> {
    const names = credentialNames(this.#method.annotations.get("auth"));
    return { [credentialsHeader]: names.join(",") };
  }

  async #replayResponses(request: Json): Promise<void> {
    const count = this.#serverStub.responseCount(this.#service.name, this.#method.name);
    for (let index = 0; index < count; index++) {
      this.#serverStub.nextResponse = index;
      const { error, wire } = await this.#call(request);
      const mismatch = this.#mismatchIn(wire);
      if (mismatch !== undefined) this.#report(mismatch.verdict, "response", mismatch.message, request);
      else if (error !== undefined) this.#report("breaks", "response", error.message, request);
    }
  }

  #mismatchIn(wire: string) {
    const { response, fileOutput, streamOutput } = this.#method;
    if (fileOutput)
      return wire === fileContents
        ? undefined
        : { verdict: "breaks" as const, message: "the response is not a file" };
    for (const line of streamOutput ? wire.split("\n").filter((one) => one !== "") : [wire]) {
      const item = parsed(line);
      // The generated client already reports a body that is not JSON.
      if (item === undefined) return undefined;
      const [mismatch] = this.#validator.mismatches(response.typeName, item);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  }

  /** Calls the stub server through the generated client of the callers' version. */
  async #call(request: Json): Promise<{
    readonly error?: Error & { readonly code?: number; readonly status?: number };
    readonly wire: string;
  }> {
    let wire = "";
    const { className } = this.#service;
    const { memberName, files, streamOutput } = this.#method;
    const transport = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await this.#serverStub.fetch(new Request(url, { ...init, redirect: "manual" }));
      const text = await response.text();
      wire = text;
      return new Response(text, { status: response.status, headers: response.headers });
    };
    const Client = this.#callers.client[className];
    if (Client === undefined) throw new Error(`no client for "${className}"`);
    const client = new Client({ url: host, transport, headers: () => this.#credentials() });
    const typed = toHandlerValue(this.#callers, this.#method.request.typeName, request, files);
    try {
      const result = client[memberName]?.(typed, streamOutput ? { reconnect: false } : {});
      if (streamOutput) for await (const _ of result as AsyncIterable<unknown>);
      else await result;
      return { wire };
    } catch (err) {
      return { error: err as Error, wire };
    }
  }

  async #replayErrors(request: Json): Promise<void> {
    const method = this.#serverStub.method(this.#service.name, this.#method.name);
    const raised = method === undefined ? [] : possibleErrors(this.#serverStub.loaded.plan, method);
    const known = this.#callers.plan.errors.filter(({ isOfProtocol }) => !isOfProtocol);
    const expected = possibleErrors(this.#callers.plan, this.#method);
    const samples = raised.flatMap(({ name }) => {
      const count = Math.max(this.#serverStub.errorData(name).length, 1);
      return Array.from({ length: count }, (_, index) => ({ name, index }));
    });
    for (const { name, index } of samples) {
      this.#serverStub.errorToRaise = name;
      this.#serverStub.nextResponse = index;
      const { error, wire } = await this.#call(request);
      this.#serverStub.errorToRaise = undefined;
      const code = error?.code;
      const recognized = known.find((one) => one.code === code);
      const ofSameName = known.find((one) => one.name === name);
      if (ofSameName !== undefined && ofSameName.code !== code)
        this.#report("breaks", "error", `${name} has the code ${code}`, request);
      else if (recognized === undefined || !expected.includes(recognized))
        this.#report("differs", "error", `${name} is not expected`, request);
      else if (recognized.httpStatus !== error?.status)
        this.#report("differs", "error", `${name} has the status ${error?.status}`, request);
      else if (recognized.data !== undefined) this.#checkData(name, recognized.data.type, wire, request);
    }
  }

  #checkData(name: string, type: string, wire: string, request: Json): void {
    const body = parsed(wire.trim().split("\n").at(-1) ?? "") as WireError | undefined;
    const { data } = body?.webrpcError ?? body ?? {};
    if (data === undefined) this.#report("differs", "error", `${name} has no data`, request);
    else
      for (const { verdict, message } of this.#validator.mismatches(type, data).slice(0, 1))
        this.#report(verdict, "error", `the data of ${name}: ${message}`, request);
  }

  /** Clients with the option `reads` call by GET and QUERY. */
  #checkReads(request: Json): void {
    const method = this.#serverStub.method(this.#service.name, this.#method.name);
    if (method === undefined || method.route !== undefined || this.#method.route !== undefined) return;
    if (this.#method.read !== undefined && method.read === undefined)
      this.#report(
        "differs",
        "request",
        "clients may call the method by GET, which is no longer possible",
        request,
      );
  }

  /** Clients with `retries` repeat idempotent methods, and methods with a key. */
  #checkRetries(request: Json): void {
    const method = this.#serverStub.method(this.#service.name, this.#method.name);
    const { idempotent, takesKey } = this.#method;
    const isSafe = method?.idempotent !== false || (takesKey && method.takesKey);
    if ((idempotent || takesKey) && !isSafe)
      this.#report(
        "differs",
        "request",
        "clients may retry the method, but repeating a call is no longer safe",
        request,
      );
  }

  #report(
    verdict: ReplayFinding["verdict"],
    where: ReplayFinding["where"],
    message: string,
    request: Json,
  ): void {
    const key = `${verdict} ${where} ${message.replace(/[0-9"'].*/s, "")}`;
    if (this.#findings.has(key)) return;
    this.#findings.set(key, {
      verdict,
      service: this.#service.name,
      method: this.#method.name,
      where,
      message,
      request,
    });
  }
}

function causeOf(text: string): string {
  const error = parsed(text) as { readonly msg?: string; readonly cause?: string } | undefined;
  return [error?.msg, error?.cause].filter((part) => part !== undefined).join(": ") || "(no readable error)";
}

interface WireError {
  readonly data?: unknown;
  readonly webrpcError?: { readonly data?: unknown };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A difference between how two versions read the same request. */
export interface RequestDifference {
  readonly verdict: "breaks" | "differs";
  readonly message: string;
}

/**
 * Compares how two versions read a request. `sent` is the request's JSON, as the caller's version sends it. `own` is the value that
 * a handler of the caller's version receives, and `other` the value that a handler of the other version receives. `known` contains
 * the field names of the caller's version. Fields with other names are new and are ignored.
 */
function compareReceived(
  { own, other, sent }: { readonly own: unknown; readonly other: unknown; readonly sent: unknown },
  known: ReadonlySet<string>,
  path = "",
): RequestDifference | undefined {
  if (own instanceof Date || other instanceof Date) {
    if (isSameText(own, other)) return undefined;
  } else if (isJsonObject(own) && isJsonObject(other)) {
    for (const key of Object.keys(own)) {
      if (isAbsent(own[key])) continue;
      const at = `${path}/${key}`;
      const wasSent = isJsonObject(sent) && !isAbsent(sent[key]) && (sent[key] !== null || own[key] === null);
      if (isAbsent(other[key])) {
        if (isRenamed(own, other, key)) continue;
        return { verdict: "differs", message: `${at} was ${wasSent ? "sent" : "filled in"} but is not read` };
      }
      const inner = compareReceived(
        { own: own[key], other: other[key], sent: isJsonObject(sent) ? sent[key] : undefined },
        known,
        at,
      );
      if (inner !== undefined)
        return wasSent || isJsonObject(own[key]) ? inner : { ...inner, verdict: "differs" };
    }
    const filledIn = Object.keys(other).find(
      (key) => !isAbsent(other[key]) && isAbsent(own[key]) && known.has(key) && !isRenamed(other, own, key),
    );
    return filledIn === undefined
      ? undefined
      : { verdict: "differs", message: `${path}/${filledIn} was omitted but is filled in` };
  }
  if (Array.isArray(own) && Array.isArray(other)) {
    const sentItems: readonly unknown[] = Array.isArray(sent) ? sent : [];
    for (const [index, value] of own.entries()) {
      const inner = compareReceived(
        { own: value, other: other[index], sent: sentItems[index] },
        known,
        `${path}/${index}`,
      );
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (isSameText(own, other) || isSameInstant(own, other)) return undefined;
  const differsInCaseOnly = String(own).toLowerCase() === String(other).toLowerCase();
  const message = `${path} means ${printed(own)} but is read as ${printed(other)}`;
  return { verdict: differsInCaseOnly ? "differs" : "breaks", message };
}

/** Whether the other version has this value in a field that the first version lacks. */
function isRenamed(
  first: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  key: string,
): boolean {
  return Object.keys(other).some(
    (name) => !Object.hasOwn(first, name) && isSameText(first[key], other[name]),
  );
}

/** Handlers receive null only where it is a value of its own. */
function isAbsent(value: unknown): boolean {
  return value === undefined;
}

/** A number and a bigint with the same digits are equal. */
function isSameText(a: unknown, b: unknown): boolean {
  return printed(a) === printed(b);
}

/** `2026-01-01T01:00:00.5+01:00` is `2026-01-01T00:00:00.5Z`: handlers receive timestamps in UTC, but strings exactly as they were sent. */
function isSameInstant(a: unknown, b: unknown): boolean {
  const [one, other] = [instantOf(a), instantOf(b)];
  return one !== undefined && one === other;
}

/** Returns the start of the second, in milliseconds since 1970, and then the fraction of the second: `1767225600000.5`. */
function instantOf(value: unknown): string | undefined {
  const parts = typeof value === "string" ? timestamp.exec(value) : null;
  if (parts === null) return undefined;
  const [, second = "", fraction = "", offset = ""] = parts;
  return `${Date.parse(second + offset)}${fraction}`;
}

const timestamp =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

function printed(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" || typeof inner === "number" ? `${inner}` : inner,
    ) ?? "nothing"
  );
}
