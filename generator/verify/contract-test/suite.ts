import type { Json } from "../../codegen/plan/json.ts";
import { isOmitted, type Plan, type PlannedMethod, type PlannedService } from "../../codegen/plan/plan.ts";
import { credentialNames } from "../../language/model/credentials.ts";
import type { ResponseValidator } from "../replay/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import type { Finding, Send, TestCall, TestResponse } from "./call.ts";
import { Coverage } from "./coverage.ts";
import { Findings } from "./findings.ts";
import { invalidVariants } from "./invalid-variants.ts";
import { badRequest, type ResponseCheck, ResponseChecker, rejectionOf } from "./response-checker.ts";
import { shrink } from "./shrink.ts";
import { testResources } from "./test-resources.ts";
import type { Tester } from "./tester.ts";

export interface SuiteOptions {
  readonly seed: number;
  /** Valid requests made of each method. */
  readonly count: number;
  /** Only methods that change nothing (`@readonly`). */
  readonly readOnly: boolean;
  /** Called after each call. */
  readonly onProgress?: (progress: Progress) => void;
  /** `true` when time is up: what was found is what there is. */
  readonly isTimeUp: () => boolean;
}

export interface Progress {
  readonly calls: number;
  /** Methods that are tested, of `methods`. */
  readonly done: number;
  readonly methods: number;
}

export interface SuiteInput {
  readonly plan: Plan;
  readonly responses: ResponseValidator;
  readonly send: Send;
}

/** Calls a server with what the contract allows and with what it does not, and tells where the server does otherwise. */
export class Suite implements Tester {
  readonly plan: Plan;
  readonly isTimeUp: () => boolean;
  readonly #options: SuiteOptions;
  readonly #checker: ResponseChecker;
  readonly #send: Send;
  readonly #findings = new Findings();
  readonly #methods: readonly TestedMethod[];
  readonly coverage: Coverage;
  #done = 0;
  calls = 0;

  constructor({ plan, responses, send }: SuiteInput, options: SuiteOptions) {
    this.plan = plan;
    this.isTimeUp = options.isTimeUp;
    this.#options = options;
    this.#checker = new ResponseChecker(plan, responses);
    this.#send = send;
    this.#methods = plan.services.flatMap((service) =>
      service.methods.filter((one) => this.#isWanted(one)).map((method) => ({ service, method })),
    );
    this.coverage = new Coverage(this.#methods.map(({ service, method }) => fullName(service, method)));
  }

  async run(): Promise<readonly Finding[]> {
    if (!this.#options.readOnly) await testResources(this);
    for (const { service, method } of this.#methods) {
      if (this.isTimeUp()) break;
      await this.#method(service, method);
      this.#done++;
    }
    return this.#findings.all;
  }

  #isWanted(method: PlannedMethod): boolean {
    if (isOmitted(method)) return false;
    return !this.#options.readOnly || method.annotations.has("readonly");
  }

  /** Sends, and tells what does not fit in the answer. */
  async call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before: readonly TestCall[] = [],
  ): Promise<ResponseCheck & { readonly call: TestCall }> {
    const call = testCall(method, body);
    const verdict = await this.#ask(service, method, body);
    if (verdict.violation !== undefined)
      this.report(verdict.violation.law, service, method, verdict.violation.words, [...before, call]);
    return { ...verdict, call };
  }

  async send(call: TestCall): Promise<TestResponse> {
    const answer = await this.#send(call);
    this.calls++;
    this.#options.onProgress?.({ calls: this.calls, done: this.#done, methods: this.#methods.length });
    return answer;
  }

  report(
    law: string,
    { name: service }: PlannedService,
    { name: method }: PlannedMethod,
    words: string,
    calls: readonly TestCall[],
  ): void {
    this.#findings.report(law, { service, method }, words, calls);
  }

  /** Valid requests: with all that may be left out, with none of it, and by chance. */
  requests({ request }: PlannedMethod): readonly Json[] {
    if (request.isEmpty) return [{}];
    const random = seededRandom(this.#options.seed);
    const optional = ["all", "none", "some"] as const;
    return Array.from({ length: this.#options.count }, (_, index) =>
      new Samples(this.plan, {
        side: "request",
        random,
        style: index === 0 ? "plain" : "edges",
        optional: optional[Math.min(index, 2)] ?? "some",
      }).body(request.typeName),
    );
  }

  async #method(service: PlannedService, method: PlannedMethod): Promise<void> {
    const requests = this.requests(method);
    const [first = {}] = requests;
    const verdicts: ResponseCheck[] = [];
    for (const body of requests) {
      if (this.isTimeUp()) return;
      verdicts.push(await this.#valid(service, method, body));
    }
    for (const { body, description } of invalidVariants(this.plan, method.request.typeName, first)) {
      if (this.isTimeUp()) return;
      await this.#invalid(service, method, testCall(method, body), description);
    }
    for (const { name, optional } of method.files)
      if (!optional && !this.isTimeUp()) {
        const { files = [], ...call } = testCall(method, first);
        const rest = { ...call, files: files.filter((one) => one !== name) };
        await this.#invalid(service, method, rest, `the file "${name}" is missing`);
      }
    await this.#credentials(service, method, first);
    await this.#leniencies(service, method, first, verdicts[0]);
  }

  async #valid(service: PlannedService, method: PlannedMethod, body: Json): Promise<ResponseCheck> {
    const verdict = await this.#ask(service, method, body);
    const fault = violationIn(verdict);
    if (fault === undefined) return verdict;
    const least = await shrink(body, async (smaller) => {
      if (this.isTimeUp()) return false;
      // One that is refused shows nothing: what was left out may be what the contract wants.
      return (await this.#ask(service, method, smaller)).violation?.law === fault.law;
    });
    this.report(fault.law, service, method, fault.words, [testCall(method, least)]);
    return verdict;
  }

  async #ask(service: PlannedService, method: PlannedMethod, body: Json): Promise<ResponseCheck> {
    const verdict = this.#checker.check(method, await this.send(testCall(method, body)));
    this.coverage.note(fullName(service, method), verdict);
    return verdict;
  }

  async #invalid(
    service: PlannedService,
    method: PlannedMethod,
    call: TestCall,
    words: string,
  ): Promise<void> {
    const { value, error, violation } = this.#checker.check(method, await this.send(call));
    if (violation?.law === "no-internal-errors" || violation?.law === "answers-json")
      this.report(violation.law, service, method, `${violation.words} where ${words}`, [call]);
    else if (value !== undefined || (error === undefined && violation?.law === "answer-fits"))
      this.report("refuses-invalid", service, method, `a request is answered in which ${words}`, [call]);
  }

  async #credentials(service: PlannedService, method: PlannedMethod, body: Json): Promise<void> {
    if (this.isTimeUp()) return;
    if (credentialNames(method.annotations.get("auth")).length === 0 && !method.annotations.has("public"))
      return;
    const call = { ...testCall(method, body), withoutCredentials: true };
    const { status } = await this.send(call);
    if (method.annotations.has("public") && (status === 401 || status === 403))
      this.report("credentials", service, method, `it is public, and answers ${status} without credentials`, [
        call,
      ]);
    if (!method.annotations.has("public") && status !== 401 && status !== 403)
      this.report("credentials", service, method, `it answers ${status} without credentials`, [call]);
  }

  /** What every server of the protocol reads. */
  async #leniencies(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    plain: ResponseCheck | undefined,
  ): Promise<void> {
    if (this.isTimeUp()) return;
    const call = testCall(method, { ...(body as object), ridlkitUnknownField: [1] });
    const { error } = this.#checker.check(method, await this.send(call));
    if (error?.code === badRequest && plain?.error?.code !== badRequest)
      this.report("reads-unknown-fields", service, method, "a field that it does not know is refused", [
        call,
      ]);
  }
}

interface TestedMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

function fullName(service: PlannedService, method: PlannedMethod): string {
  return `${service.name}.${method.name}`;
}

function testCall({ path, files }: PlannedMethod, body: Json): TestCall {
  return files.length === 0 ? { path, body } : { path, body, files: files.map(({ name }) => name) };
}

function violationIn({ violation, error }: ResponseCheck): ResponseCheck["violation"] {
  return violation ?? rejectionOf(error?.code);
}
