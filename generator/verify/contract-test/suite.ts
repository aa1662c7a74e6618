import type { Json } from "../../codegen/plan/json.ts";
import {
  isOmitted,
  mayBeAbsent,
  type Plan,
  type PlannedMethod,
  type PlannedService,
} from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import { credentialNames } from "../../language/model/credentials.ts";
import type { ResponseValidator } from "../responses/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { type Finding, type Send, type TestCall, type TestResponse, testCall } from "./call.ts";
import { Coverage } from "./coverage.ts";
import { Findings } from "./findings.ts";
import { type InvalidVariant, invalidVariants } from "./invalid-variants.ts";
import { badRequest, type ResponseCheck, ResponseChecker, rejectionOf } from "./response-checker.ts";
import { isInvalidOnRoute } from "./route-values.ts";
import { Routes } from "./routes.ts";
import { shrink } from "./shrink.ts";
import { testRead } from "./test-reads.ts";
import { testResources } from "./test-resources.ts";
import { testRoute } from "./test-routes.ts";
import type { Tester } from "./tester.ts";

export interface SuiteOptions {
  readonly seed: number;
  /** Number of valid requests per method. */
  readonly count: number;
  /** Call only methods that change nothing (`@readonly`). */
  readonly readOnly: boolean;
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
    this.#types = new TypeFinder(plan);
    this.routes = new Routes(plan);
    this.#methods = plan.services.flatMap((service) =>
      service.methods.filter((one) => this.#isWanted(one)).map((method) => ({ service, method })),
    );
    this.coverage = new Coverage(this.#methods.map(({ service, method }) => fullName(service, method)));
  }

  async run(): Promise<readonly Finding[]> {
    if (!this.#options.readOnly) await testResources(this);
    for (const { service, method } of this.#methods) {
      if (this.isTimeUp() || this.foreignReason !== undefined) break;
      await this.#testMethod(service, method);
      this.#done++;
    }
    return this.#findings.all;
  }

  /** Why the server cannot be the API: no response had the form of the protocol. */
  get foreignReason(): string | undefined {
    return this.#isApi ? undefined : this.#mismatch;
  }

  #isWanted(method: PlannedMethod): boolean {
    if (isOmitted(method)) return false;
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
    const verdict = await this.#check(service, method, call);
    if (verdict.violation !== undefined)
      this.report(verdict.violation.rule, service, method, verdict.violation.message, [...before, call]);
    return { ...verdict, call };
  }

  async send(call: TestCall): Promise<TestResponse> {
    const response = await this.#send(call);
    this.calls++;
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

  /** Generates valid requests: with all optional fields, with none, and with a random choice. */
  requests(method: PlannedMethod): readonly Json[] {
    if (method.request.isEmpty) return [{}];
    const random = seededRandom(this.#options.seed);
    const optional = ["all", "none", "some"] as const;
    const found: Json[] = [];
    for (let tries = 0; found.length < this.#options.count && tries < this.#options.count * 4; tries++) {
      const body = new Samples(this.plan, {
        side: "request",
        random,
        style: found.length === 0 ? "plain" : "edges",
        optional: optional[Math.min(found.length, 2)] ?? "some",
      }).body(method.request.typeName);
      if (this.callOf(method, body) !== undefined) found.push(body);
    }
    return found;
  }

  callOf(method: PlannedMethod, body: Json): TestCall | undefined {
    const call = testCall(this.#types, method, body);
    return call !== undefined && this.routes.isCallOf(method, call) ? call : undefined;
  }

  async #testMethod(service: PlannedService, method: PlannedMethod): Promise<void> {
    const requests = this.requests(method);
    const [first] = requests;
    const firstCall = first === undefined ? undefined : this.callOf(method, first);
    if (first === undefined || firstCall === undefined) return;
    const verdicts: ResponseCheck[] = [];
    for (const body of requests) {
      if (this.isTimeUp()) return;
      verdicts.push(await this.#testValid(service, method, body));
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
    await this.#testCredentials(service, method, firstCall);
    await this.#testUnknownFields(service, method, first, verdicts[0]);
  }

  #invalidVariants(method: PlannedMethod, valid: Json): readonly InvalidVariant[] {
    const { route, request } = method;
    const variants = invalidVariants(this.plan, request.typeName, valid);
    return route === undefined
      ? variants
      : variants.filter(({ body }) => isInvalidOnRoute(route, valid, body));
  }

  async #testValid(service: PlannedService, method: PlannedMethod, body: Json): Promise<ResponseCheck> {
    const verdict = await this.#checkBody(service, method, body);
    const violation = violationIn(verdict);
    if (violation === undefined) return verdict;
    const smallest = await shrink(body, async (smaller) => {
      if (this.isTimeUp()) return false;
      // A rejected variant proves nothing: the removed field may be required.
      return (await this.#checkBody(service, method, smaller)).violation?.rule === violation.rule;
    });
    const call = this.callOf(method, smallest);
    if (call !== undefined) this.report(violation.rule, service, method, violation.message, [call]);
    return verdict;
  }

  async #checkBody(service: PlannedService, method: PlannedMethod, body: Json): Promise<ResponseCheck> {
    const call = this.callOf(method, body);
    return call === undefined ? {} : this.#check(service, method, call);
  }

  async #check(service: PlannedService, method: PlannedMethod, call: TestCall): Promise<ResponseCheck> {
    const verdict = this.#checker.check(method, await this.send(call));
    this.coverage.note(fullName(service, method), verdict);
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

  async #testCredentials(service: PlannedService, method: PlannedMethod, valid: TestCall): Promise<void> {
    if (this.isTimeUp()) return;
    if (credentialNames(method.annotations.get("auth")).length === 0 && !method.annotations.has("public"))
      return;
    const call = { ...valid, withoutCredentials: true };
    const { status } = await this.send(call);
    if (method.annotations.has("public") && (status === 401 || status === 403))
      this.report(
        "credentials",
        service,
        method,
        `the method is public, but returns ${status} without credentials`,
        [call],
      );
    if (!method.annotations.has("public") && status !== 401 && status !== 403)
      this.report("credentials", service, method, `the method returns ${status} without credentials`, [call]);
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

interface TestedMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

function fullName(service: PlannedService, method: PlannedMethod): string {
  return `${service.name}.${method.name}`;
}

function violationIn({ violation, error }: ResponseCheck): ResponseCheck["violation"] {
  return violation ?? rejectionOf(error?.code);
}
