import type { BreakingRuleName } from "../../../../../generator/verify/breaking/rules.ts";

/** The effect of a change on calls: an error, another meaning, or none. */
export type Verdict = "breaks" | "differs" | "same";

/** One change of a contract. `servers`: old callers meet the new server; `callers`: new callers meet the old one. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  readonly servers: Verdict;
  readonly callers: Verdict;
  /** The exact findings of `ridlkit breaking` with servers first. */
  readonly rules: readonly BreakingRuleName[];
}

export type Outcome = readonly [servers: Verdict, callers: Verdict, ...rules: BreakingRuleName[]];

export interface Parts {
  readonly request?: string;
  readonly answer?: string;
  readonly types?: string;
  readonly errors?: string;
  readonly clause?: string;
  readonly annotations?: string;
  readonly methods?: string;
  readonly basepath?: string;
  readonly service?: string;
  readonly method?: string;
  readonly route?: string;
  readonly path?: string;
  readonly stream?: boolean;
}

export function change(name: string, before: string, now: string, outcome: Outcome): Change {
  const [servers, callers, ...rules] = outcome;
  return { name, before, now, servers, callers, rules };
}

export const both = (name: string, before: Parts, now: Parts, outcome: Outcome): Change =>
  change(name, contract(before), contract(now), outcome);

export const request = (name: string, before: string, now: string, outcome: Outcome): Change =>
  both(`request: ${name}`, { request: before }, { request: now }, outcome);

export const answer = (name: string, before: string, now: string, outcome: Outcome): Change =>
  both(`answer: ${name}`, { answer: before }, { answer: now }, outcome);

export const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n";

/** A contract with one method, with the given fields in its request and response. */
export function contract(parts: Parts): string {
  const { request = "", answer = "", types = "", errors = "", clause = "", annotations = "" } = parts;
  const {
    methods = "",
    basepath = "/rpc",
    service = "Shop",
    method = "Do",
    stream = false,
    route = "",
    path = "",
  } = parts;
  return `${head}basepath = ${basepath}\n
struct Part
  - x: bool
${types}
struct In
  - id: uint32
${fields(request)}
struct Out
  - ok: bool
${fields(answer)}
${errors}
service ${service}
  ${path && `path = ${path}`}
  ${annotations}
  - ${method}(In) => ${stream ? "stream " : ""}(Out)${clause}
    ${route}
${methods}
`;
}

/** `name: string + maxLength = 4; age?: int32` → two fields with their meta lines. */
export function fields(text: string): string {
  const list = text.split(";").map((field) => field.trim());
  return list.map((field) => (field === "" ? "" : `  - ${field.split(" + ").join("\n    + ")}`)).join("\n");
}

export const kinds = (values: string): string =>
  `enum Kind: string\n${values
    .split(" ")
    .map((one) => `  - ${one}`)
    .join("\n")}`;

export const asked = (values: string): Parts => ({ types: kinds(values), request: "kind: Kind" });

export const gone = 'error 1 Gone "gone" HTTP 404';
