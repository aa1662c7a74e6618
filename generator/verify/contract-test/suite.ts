import { possibleErrors } from "../../codegen/plan/errors.ts";
import type { Json } from "../../codegen/plan/json.ts";
import {
  isOmitted,
  mayBeAbsent,
  type Plan,
  type PlannedMethod,
  type PlannedService,
  type TypeFinder,
} from "../../codegen/plan/plan.ts";
import type { ResponseValidator } from "../responses/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { type Finding, Findings, type Send, type TestCall, type TestResponse, testCall } from "./call.ts";
import { badRequest, type ResponseCheck, ResponseChecker, rejectionOf } from "./checkers.ts";
import { Coverage, isRefusal, Session } from "./coverage.ts";
import { type InvalidVariant, invalidVariants } from "./invalid-variants.ts";
import { KnownRecords, mayEndSession, removesRecords } from "./known-records.ts";
import { shrink } from "./shrink.ts";
import { testRead } from "./test-reads.ts";
import { testResources } from "./test-resources.ts";
import { isInvalidOnRoute, testRoute } from "./test-routes.ts";
import { Routes, type TestedMethod, type Tester } from "./tester.ts";

export interface SuiteOptions {
  readonly seed: number;
  /** Number of valid requests per method. */
  readonly count: number;
  /** Call only methods that change nothing (`@readonly`). */
  readonly readOnly: boolean;
  /** Whether to test a method, by its name: `Shop.GetOrder`. */
  readonly isSelected: (name: string) => boolean;
  /** Whether `send` adds credentials. */
  readonly sendsCredentials: boolean;
  /** Called after each call. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether the time is up. The suite then stops and returns its findings so far. */
  readonly isTimeUp: () => boolean;
}

export interface Progress {
  readonly calls: number;
  /** Number of tested methods, out of `methods`. */
  readonly done: number;
  readonly methods: number;
}

export interface SuiteInput {
  readonly plan: Plan;
  readonly responses: ResponseValidator;
  readonly send: Send;
}

/** Sends valid and invalid requests to a server, and reports where the server violates the contract. */
export class Suite implements Tester {
  readonly plan: Plan;
  readonly routes: Routes;
  readonly isTimeUp: () => boolean;
  readonly #options: SuiteOptions;
  readonly #checker: ResponseChecker;
  readonly #send: Send;
  readonly #findings = new Findings();
  readonly #methods: readonly TestedMethod[];
  readonly #known: KnownRecords;
  readonly #session: Session;
  /** The method that is being tested. */
  #tested: TestedMethod | undefined;
  readonly #types: TypeFinder;
  readonly coverage: Coverage;
  /** Why the first response cannot come from the API; undefined after a response that can. */
  #mismatch: string | undefined;
  #isApi = false;
  #done = 0;
  calls = 0;

  constructor({ plan, responses, send }: SuiteInput, options: SuiteOptions) {
    this.plan = plan;
    this.isTimeUp = options.isTimeUp;
    this.#options = options;
    this.#checker = new ResponseChecker(plan, responses);
    this.#send = send;
    this.#types = plan.finder;
    this.routes = new Routes(plan);
    this.#methods = plan.services
      .flatMap((service) => service.methods.map((method) => ({ service, method })))
      .filter((one) => this.isTested(one));
    this.#known = new KnownRecords(plan);
    this.#session = new Session((call) => this.#sendAndCount(call));
    this.coverage = new Coverage(this.#methods.map(fullName));
  }

  async run(): Promise<readonly Finding[]> {
    try {
      await this.#run();
    } catch (err) {
      if (!(err instanceof TimeUp)) throw err;
    }
    return this.#findings.all;
  }

  async #run(): Promise<void> {
    if (!this.#options.readOnly) await testResources(this);
    const last = this.#methods.filter(mayEndSession);
    const others = this.#methods.filter((one) => !last.includes(one));
    const removing = others.filter(({ method }) => removesRecords(method));
    await this.#testAll([...others.filter((one) => !removing.includes(one)), ...removing]);
    await this.#retry(others);
    await this.#testAll(last);
  }

  /** The method after which the server refused the credential: `Auth.Logout`. */
  get sessionEndedBy(): string | undefined {
    return this.#session.endedBy;
  }

  async #testAll(methods: readonly TestedMethod[]): Promise<void> {
    for (const one of methods) {
      if (this.isTimeUp() || this.foreignReason !== undefined) return;
      if (this.#canCall(one)) await this.#testMethod(one);
      this.#done++;
    }
  }

  /** Calls methods without a success again, as long as later responses had the keys that they need. */
  async #retry(methods: readonly TestedMethod[]): Promise<void> {
    for (let hasSucceeded = true; hasSucceeded && this.foreignReason === undefined; ) {
      hasSucceeded = false;
      for (const one of methods.filter((each) => !this.coverage.hasResponse(fullName(each)))) {
        for (const body of this.#requests(one, { count: retryCount, isFilled: () => true })) {
          if (this.isTimeUp() || !this.#canCall(one)) break;
          await this.#testValid(one, body);
          if (this.coverage.hasResponse(fullName(one))) break;
        }
        hasSucceeded ||= this.coverage.hasResponse(fullName(one));
      }
    }
  }

  #canCall({ method }: TestedMethod): boolean {
    return this.#session.endedBy === undefined || method.annotations.has("public");
  }

  /** Why the server cannot be the API: no response had the form of the protocol. */
  get foreignReason(): string | undefined {
    return this.#isApi ? undefined : this.#mismatch;
  }

  isTested({ service, method }: TestedMethod): boolean {
    if (isOmitted(method) || !this.#options.isSelected(fullName({ service, method }))) return false;
    return !this.#options.readOnly || method.annotations.has("readonly");
  }

  async call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before: readonly TestCall[] = [],
  ): Promise<ResponseCheck & { readonly call: TestCall }> {
    const call = this.callOf(method, body);
    // A server may have given a record a key that no URL can hold, such as an empty one.
    if (call === undefined) return { call: { path: method.path, body } };
    if (!this.#canCall({ service, method })) return { call };
    this.#tested = { service, method };
    const verdict = await this.#check({ service, method }, call);
    // The error is that of a missing session, and not one of the method.
    if (!this.#canCall({ service, method })) return { call };
    if (verdict.violation !== undefined)
      this.report(verdict.violation.rule, service, method, verdict.violation.message, [...before, call]);
    return { ...verdict, call };
  }

  async send(call: TestCall): Promise<TestResponse> {
    const response = await this.#sendAndCount(call);
    if (this.#tested !== undefined)
      await this.#session.note(fullName(this.#tested), this.#tested.method, call, response);
    return response;
  }

  async #sendAndCount(call: TestCall): Promise<TestResponse> {
    const response = await this.#send(call);
    this.calls++;
    if (response.isCut === true) throw new TimeUp();
    this.#options.onProgress?.({ calls: this.calls, done: this.#done, methods: this.#methods.length });
    return response;
  }

  report(
    rule: string,
    { name: service }: PlannedService,
    { name: method }: PlannedMethod,
    message: string,
    calls: readonly TestCall[],
  ): void {
    this.#findings.report(rule, { service, method }, message, calls);
  }

  /** With all optional fields, with none, and with a random choice. */
  requests(tested: TestedMethod): readonly Json[] {
    return this.#requests(tested, { count: this.#options.count, isFilled: (index) => index % 2 === 1 });
  }

  #requests({ service, method }: TestedMethod, { count, isFilled }: RequestChoice): readonly Json[] {
    if (method.request.isEmpty) return [{}];
    const random = seededRandom(this.#options.seed);
    const optional = ["all", "none", "some"] as const;
    const found: Json[] = [];
    let hasInvalid = false;
    for (let tries = 0; found.length < count && tries < count * 4; tries++) {
      const samples = new Samples(this.plan, {
        side: "request",
        random,
        style: found.length === 0 ? "plain" : "edges",
        // The invalid value may be one of an optional field.
        optional: hasInvalid ? "none" : (optional[Math.min(found.length, 2)] ?? "some"),
        unionCase: found.length,
      });
      const sample = samples.body(method.request.typeName);
      const [invalid] = samples.invalid;
      if (invalid !== undefined) {
        hasInvalid = true;
        this.coverage.noteInvalid(fullName({ service, method }), invalid);
        continue;
      }
      const body = isFilled(found.length)
        ? this.#known.fill({ service, method, body: sample }, random)
        : undefined;
      if (this.callOf(method, body ?? sample) !== undefined) found.push(body ?? sample);
    }
    return found;
  }

  callOf(method: PlannedMethod, body: Json): TestCall | undefined {
    const call = testCall(this.#types, method, body);
    return call !== undefined && this.routes.isCallOf(method, call) ? call : undefined;
  }

  async #testMethod({ service, method }: TestedMethod): Promise<void> {
    this.#tested = { service, method };
    const requests = this.requests(this.#tested);
    const [first] = requests;
    const firstCall = first === undefined ? undefined : this.callOf(method, first);
    if (first === undefined || firstCall === undefined) return;
    const verdicts: ResponseCheck[] = [];
    for (const body of requests) {
      if (this.isTimeUp() || !this.#canCall({ service, method })) return;
      verdicts.push(await this.#testValid({ service, method }, body));
    }
    for (const { body, description } of this.#invalidVariants(method, first)) {
      if (this.isTimeUp()) return;
      const call = this.callOf(method, body);
      if (call !== undefined) await this.#testInvalid(service, method, call, description);
    }
    for (const file of method.files)
      if (!mayBeAbsent(file) && !this.isTimeUp()) {
        const { name } = file;
        const { files = [], ...call } = firstCall;
        const rest = { ...call, files: files.filter((one) => one !== name) };
        await this.#testInvalid(service, method, rest, `the file "${name}" is missing`);
      }
    if (method.route !== undefined)
      await testRoute(this, { service, method, body: first, isReadOnly: this.#options.readOnly });
    const answered = requests[verdicts.findIndex(({ value }) => value !== undefined)];
    if (answered !== undefined) await testRead(this, { service, method, body: answered });
    await this.#testCredentials(service, method, { call: firstCall, verdict: verdicts[0] });
    await this.#testUnknownFields(service, method, first, verdicts[0]);
  }

  #invalidVariants(method: PlannedMethod, valid: Json): readonly InvalidVariant[] {
    const { route, request } = method;
    const variants = invalidVariants(this.plan, request.typeName, valid);
    return route === undefined
      ? variants
      : variants.filter(({ body }) => isInvalidOnRoute(route, valid, body));
  }

  async #testValid({ service, method }: TestedMethod, body: Json): Promise<ResponseCheck> {
    this.#tested = { service, method };
    const verdict = await this.#checkBody({ service, method }, body);
    const violation = violationIn(verdict);
    if (violation === undefined) return verdict;
    const smallest = await shrink(body, async (smaller) => {
      if (this.isTimeUp()) return false;
      // A rejected variant proves nothing: the removed field may be required. Nor does one without a response in time.
      return this.#checkBody({ service, method }, smaller).then(
        (one) => one.violation?.rule === violation.rule,
        (err: unknown) => {
          if (err instanceof TimeUp) return false;
          throw err;
        },
      );
    });
    const call = this.callOf(method, smallest);
    if (call !== undefined) this.report(violation.rule, service, method, violation.message, [call]);
    return verdict;
  }

  async #checkBody(tested: TestedMethod, body: Json): Promise<ResponseCheck> {
    const call = this.callOf(tested.method, body);
    return call === undefined ? {} : this.#check(tested, call);
  }

  async #check({ service, method }: TestedMethod, call: TestCall): Promise<ResponseCheck> {
    const verdict = this.#checker.check(method, await this.send(call));
    this.coverage.note(fullName({ service, method }), verdict, this.#isFromHandler(method, verdict.error));
    if (verdict.value !== undefined) this.#known.add({ service, method, body: verdict.value as Json });
    const { violation } = verdict;
    const isForeign = violation?.rule === "response-json" || violation?.rule === "error-format";
    if (isForeign) this.#mismatch ??= violation.message;
    else this.#isApi = true;
    return verdict;
  }

  async #testInvalid(
    service: PlannedService,
    method: PlannedMethod,
    call: TestCall,
    message: string,
  ): Promise<void> {
    const { value, error, violation } = this.#checker.check(method, await this.send(call));
    if (violation?.rule === "no-internal-errors" || violation?.rule === "response-json")
      this.report(violation.rule, service, method, `${violation.message} for a request in which ${message}`, [
        call,
      ]);
    else if (value !== undefined || (error === undefined && violation?.rule === "response-schema"))
      this.report("rejects-invalid", service, method, `a request was accepted in which ${message}`, [call]);
  }

  /** Whether a 401 or 403 of a method is about the values of the request, such as a wrong password. */
  #isFromHandler({ annotations, errors }: PlannedMethod, error: ResponseCheck["error"]): boolean {
    if (!annotations.has("public") || error === undefined || !isRefusal(error.status)) return false;
    return this.#options.sendsCredentials || errors?.some(({ name }) => name === error.name) === true;
  }

  async #testCredentials(
    service: PlannedService,
    method: PlannedMethod,
    { call: valid, verdict }: { readonly call: TestCall; readonly verdict: ResponseCheck | undefined },
  ): Promise<void> {
    if (this.isTimeUp()) return;
    if (!method.annotations.has("auth") && !method.annotations.has("public")) return;
    const call = { ...valid, withoutCredentials: true };
    const response = await this.send(call);
    const { status } = response;
    const { error } = this.#checker.check(method, response);
    const isSame = error?.name === verdict?.error?.name && this.#isFromHandler(method, error);
    if (method.annotations.has("public") && isRefusal(status) && !isSame)
      this.report(
        "credentials",
        service,
        method,
        `the method is public, but returns ${status} without credentials`,
        [call],
      );
    // Without an error with HTTP 401 or 403, every error is a refusal.
    const isRefused = isRefusal(status) || (error !== undefined && !this.#declaresRefusal(method));
    if (!method.annotations.has("public") && !isRefused)
      this.report("credentials", service, method, `the method returns ${status} without credentials`, [call]);
  }

  #declaresRefusal(method: PlannedMethod): boolean {
    return possibleErrors(this.plan, method).some(({ httpStatus }) => isRefusal(httpStatus));
  }

  /** Checks that the server ignores unknown fields, as the protocol requires. */
  async #testUnknownFields(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    plain: ResponseCheck | undefined,
  ): Promise<void> {
    if (this.isTimeUp()) return;
    const call = this.callOf(method, { ...(body as object), ridlkitUnknownField: [1] });
    if (call === undefined) return;
    const { error } = this.#checker.check(method, await this.send(call));
    if (error?.code === badRequest && plain?.error?.code !== badRequest)
      this.report("ignores-unknown-fields", service, method, "an unknown field was rejected", [call]);
  }
}

/** Ends the run at a call that was cut. */
class TimeUp extends Error {}

/** Number of calls to a method that has not succeeded, with the keys of known records. */
const retryCount = 8;

interface RequestChoice {
  readonly count: number;
  /** Whether a request refers to known records, by its index. */
  readonly isFilled: (index: number) => boolean;
}

function fullName({ service, method }: TestedMethod): string {
  return `${service.name}.${method.name}`;
}

function violationIn({ violation, error }: ResponseCheck): ResponseCheck["violation"] {
  return violation ?? rejectionOf(error?.code);
}
