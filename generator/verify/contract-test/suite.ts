import type { Json } from "../../codegen/plan/json.ts";
import { isLeftOut, type Plan, type PlannedMethod, type PlannedService } from "../../codegen/plan/plan.ts";
import { credentialNames } from "../../language/model/credentials.ts";
import type { AnswerJudge } from "../replay/answers.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import type { Finding, Send, TestAnswer, TestCall } from "./call.ts";
import { Findings } from "./findings.ts";
import { badRequest, Judge, refusalOf, type Verdict } from "./judge.ts";
import { Reach } from "./reach.ts";
import { resourceLaws } from "./resource-laws.ts";
import { shrink } from "./shrink.ts";
import { spoil } from "./spoil.ts";
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
  readonly isOver: () => boolean;
}

export interface Progress {
  readonly calls: number;
  /** Methods that are tested, of `methods`. */
  readonly done: number;
  readonly methods: number;
}

export interface SuiteInput {
  readonly plan: Plan;
  readonly answers: AnswerJudge;
  readonly send: Send;
}

/** Calls a server with what the contract allows and with what it does not, and tells where the server does otherwise. */
export class Suite implements Tester {
  readonly plan: Plan;
  readonly isOver: () => boolean;
  readonly #options: SuiteOptions;
  readonly #judge: Judge;
  readonly #send: Send;
  readonly #found = new Findings();
  readonly #methods: readonly Tested[];
  readonly reach: Reach;
  #done = 0;
  calls = 0;

  constructor({ plan, answers, send }: SuiteInput, options: SuiteOptions) {
    this.plan = plan;
    this.isOver = options.isOver;
    this.#options = options;
    this.#judge = new Judge(plan, answers);
    this.#send = send;
    this.#methods = plan.services.flatMap((service) =>
      service.methods.filter((one) => this.#isWanted(one)).map((method) => ({ service, method })),
    );
    this.reach = new Reach(this.#methods.map(({ service, method }) => fullName(service, method)));
  }

  async run(): Promise<readonly Finding[]> {
    if (!this.#options.readOnly) await resourceLaws(this);
    for (const { service, method } of this.#methods) {
      if (this.isOver()) break;
      await this.#method(service, method);
      this.#done++;
    }
    return this.#found.all;
  }

  #isWanted(method: PlannedMethod): boolean {
    if (isLeftOut(method)) return false;
    return !this.#options.readOnly || method.annotations.has("readonly");
  }

  /** Sends, and tells what does not fit in the answer. */
  async call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before: readonly TestCall[] = [],
  ): Promise<Verdict & { readonly call: TestCall }> {
    const call = callOf(method, body);
    const verdict = await this.#ask(service, method, body);
    if (verdict.fault !== undefined)
      this.tell(verdict.fault.law, service, method, verdict.fault.words, [...before, call]);
    return { ...verdict, call };
  }

  async send(call: TestCall): Promise<TestAnswer> {
    const answer = await this.#send(call);
    this.calls++;
    this.#options.onProgress?.({ calls: this.calls, done: this.#done, methods: this.#methods.length });
    return answer;
  }

  tell(
    law: string,
    { name: service }: PlannedService,
    { name: method }: PlannedMethod,
    words: string,
    calls: readonly TestCall[],
  ): void {
    this.#found.tell(law, { service, method }, words, calls);
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
    const verdicts: Verdict[] = [];
    for (const body of requests) {
      if (this.isOver()) return;
      verdicts.push(await this.#valid(service, method, body));
    }
    for (const { body, words } of spoil(this.plan, method.request.typeName, first)) {
      if (this.isOver()) return;
      await this.#invalid(service, method, callOf(method, body), words);
    }
    for (const { name, optional } of method.files)
      if (!optional && !this.isOver()) {
        const { files = [], ...call } = callOf(method, first);
        const rest = { ...call, files: files.filter((one) => one !== name) };
        await this.#invalid(service, method, rest, `the file "${name}" is missing`);
      }
    await this.#credentials(service, method, first);
    await this.#leniencies(service, method, first, verdicts[0]);
  }

  async #valid(service: PlannedService, method: PlannedMethod, body: Json): Promise<Verdict> {
    const verdict = await this.#ask(service, method, body);
    const fault = faultIn(verdict);
    if (fault === undefined) return verdict;
    const least = await shrink(body, async (smaller) => {
      if (this.isOver()) return false;
      // One that is refused shows nothing: what was left out may be what the contract wants.
      return (await this.#ask(service, method, smaller)).fault?.law === fault.law;
    });
    this.tell(fault.law, service, method, fault.words, [callOf(method, least)]);
    return verdict;
  }

  async #ask(service: PlannedService, method: PlannedMethod, body: Json): Promise<Verdict> {
    const verdict = this.#judge.judge(method, await this.send(callOf(method, body)));
    this.reach.note(fullName(service, method), verdict);
    return verdict;
  }

  async #invalid(
    service: PlannedService,
    method: PlannedMethod,
    call: TestCall,
    words: string,
  ): Promise<void> {
    const { value, error, fault } = this.#judge.judge(method, await this.send(call));
    if (fault?.law === "no-internal-errors" || fault?.law === "answers-json")
      this.tell(fault.law, service, method, `${fault.words} where ${words}`, [call]);
    else if (value !== undefined || (error === undefined && fault?.law === "answer-fits"))
      this.tell("refuses-invalid", service, method, `a request is answered in which ${words}`, [call]);
  }

  async #credentials(service: PlannedService, method: PlannedMethod, body: Json): Promise<void> {
    if (this.isOver()) return;
    if (credentialNames(method.annotations.get("auth")).length === 0 && !method.annotations.has("public"))
      return;
    const call = { ...callOf(method, body), withoutCredentials: true };
    const { status } = await this.send(call);
    if (method.annotations.has("public") && (status === 401 || status === 403))
      this.tell("credentials", service, method, `it is public, and answers ${status} without credentials`, [
        call,
      ]);
    if (!method.annotations.has("public") && status !== 401 && status !== 403)
      this.tell("credentials", service, method, `it answers ${status} without credentials`, [call]);
  }

  /** What every server of the protocol reads. */
  async #leniencies(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    plain: Verdict | undefined,
  ): Promise<void> {
    if (this.isOver()) return;
    const call = callOf(method, { ...(body as object), ridlkitUnknownField: [1] });
    const { error } = this.#judge.judge(method, await this.send(call));
    if (error?.code === badRequest && plain?.error?.code !== badRequest)
      this.tell("reads-unknown-fields", service, method, "a field that it does not know is refused", [call]);
  }
}

interface Tested {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

function fullName(service: PlannedService, method: PlannedMethod): string {
  return `${service.name}.${method.name}`;
}

function callOf({ path, files }: PlannedMethod, body: Json): TestCall {
  return files.length === 0 ? { path, body } : { path, body, files: files.map(({ name }) => name) };
}

function faultIn({ fault, error }: Verdict): Verdict["fault"] {
  return fault ?? refusalOf(error?.code);
}
