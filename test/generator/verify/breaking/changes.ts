import type { BreakingRuleName } from "../../../../generator/verify/breaking/rules.ts";

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

type Outcome = readonly [servers: Verdict, callers: Verdict, ...rules: BreakingRuleName[]];

function change(name: string, before: string, now: string, outcome: Outcome): Change {
  const [servers, callers, ...rules] = outcome;
  return { name, before, now, servers, callers, rules };
}

/** A function and three types. */
const renames = ["type-renamed", "type-renamed", "type-renamed", "type-renamed"] as const;

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n";

function service(name: string, ...methods: readonly string[]): string {
  const lines = methods.map((method) => `  - ${method}(name: string) => (ok: bool)\n`);
  return `service ${name}\n${lines.join("")}`;
}

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
function fields(text: string): string {
  const list = text.split(";").map((field) => field.trim());
  return list.map((field) => (field === "" ? "" : `  - ${field.split(" + ").join("\n    + ")}`)).join("\n");
}

const both = (name: string, before: Parts, now: Parts, ...outcome: Outcome): Change =>
  change(name, contract(before), contract(now), outcome);
const request = (name: string, before: string, now: string, ...outcome: Outcome): Change =>
  both(`request: ${name}`, { request: before }, { request: now }, ...outcome);
const answer = (name: string, before: string, now: string, ...outcome: Outcome): Change =>
  both(`answer: ${name}`, { answer: before }, { answer: now }, ...outcome);

const kinds = (values: string): string =>
  `enum Kind: string\n${values
    .split(" ")
    .map((one) => `  - ${one}`)
    .join("\n")}`;
const asked = (values: string): Parts => ({ types: kinds(values), request: "kind: Kind" });
const told = (values: string): Parts => ({ types: kinds(values), answer: "kind: Kind" });
const keyed = (values: string, side: "request" | "answer"): Parts => ({
  types: kinds(values),
  [side]: "m: map<Kind,bool>",
});
const numbered = (values: string): Parts => ({
  types: kinds(values).replace("string", "uint8"),
  request: "kind: Kind",
});
const gone = 'error 1 Gone "gone" HTTP 404';
const dataOf = (type: string): string =>
  `struct Usage\n  - limit: ${type}\ntype GoneData: Usage\n  + errorData = Gone`;
const busy = 'error 2 Busy "busy" HTTP 409';
const twoErrors: Parts = { errors: `${gone}\n${busy}` };

/** Calls of `Do` have an enum value in the path. */
const byKind: Parts = { ...asked("old new"), route: "GET /do/{kind}" };

function otherMethod(route: string): string {
  return `  - Other() => (ok: bool)\n    ${route}`;
}

function withOther(route: string): Parts {
  return { ...byKind, methods: otherMethod(route) };
}

/** `a b` → two fields of a group, with values of one type. */
function group(names: string, name = "g"): string {
  return names
    .split(" ")
    .map((one) => `${one}?: int32 + oneOf = ${name}`)
    .join("; ");
}

function groupChanges(): readonly Change[] {
  const [narrowed, widened] = ["request-group-narrowed", "response-group-widened"] as const;
  const optional = "a?: int32; b?: int32";
  return [
    request("a new field in a group", group("a b"), group("a b c"), "same", "breaks"),
    request("a field less in a group", group("a b c"), group("a b"), "breaks", "same", narrowed),
    request("a group of optional fields", optional, group("a b"), "breaks", "same", narrowed),
    request("a group of new fields", "", group("a b"), "breaks", "differs", narrowed),
    request("no group any more", group("a b"), optional, "same", "breaks"),
    request("a renamed group", group("a b"), group("a b", "h"), "same", "same"),
    request(
      "a group that becomes two",
      group("a b c d"),
      `${group("a b")}; ${group("c d", "h")}`,
      "breaks",
      "breaks",
      narrowed,
      narrowed,
    ),
    request("a group with a required field", "a: int32", group("a b"), "same", "breaks"),
    request(
      "a renamed field in a group",
      group("a b"),
      `${group("b")}; c?: int32 + oneOf = g + alias = a`,
      "same",
      "breaks",
    ),
    answer("a new field in a group", group("a b"), group("a b c"), "breaks", "same", widened),
    answer("a field less in a group", group("a b c"), group("a b"), "same", "breaks", "code-field-removed"),
    answer("no group any more", group("a b"), optional, "breaks", "same", widened),
    answer("a group of optional fields", optional, group("a b"), "same", "breaks"),
    answer("a renamed group", group("a b"), group("a b", "h"), "same", "same"),
  ];
}

/** A request with a struct that is derived of `Base`, whose fields are given. */
function derived(base: string, lines = "omit = id"): Parts {
  const types = `struct Base\n  - id: uint32\n${fields(base)}\ntype New: Base\n  + ${lines.split("; ").join("\n  + ")}`;
  return { types, request: "new: New" };
}

function alsoBase(base: string): Parts {
  return { ...derived(base), request: "new: New; base: Base" };
}

function twoDerived(base: string): Parts {
  return {
    types: `${derived(base).types}\ntype Patch: Base\n  + partial = true`,
    request: "new: New; patch: Patch",
  };
}

function derivedChanges(): readonly Change[] {
  const written = { types: "struct New\n  - a: int32", request: "new: New" };
  const required = "request-field-required";
  const [before, now] = ["a: int32", "a: int32; b: int32"];
  const partial = "partial = true";
  return [
    both("a required field of the base", derived(before), derived(now), "breaks", "differs", required),
    both(
      "an optional field of the base",
      derived(before),
      derived(`${before}; b?: int32`),
      "same",
      "differs",
    ),
    both("a field of a partial", derived(before, partial), derived(now, partial), "same", "differs"),
    both("a field that is not picked", derived(before, "pick = a"), derived(now, "pick = a"), "same", "same"),
    both(
      "a field that is no longer omitted",
      derived(now, "omit = id; omit = b"),
      derived(now),
      ...(["breaks", "differs", required] as const),
    ),
    both(
      "a required field of the base, which requests contain, too",
      alsoBase(before),
      alsoBase(now),
      ...(["breaks", "differs", required] as const),
    ),
    both(
      "a field of the base of two derived structs",
      twoDerived(now),
      twoDerived(before),
      ...(["differs", "breaks", "request-field-ignored"] as const),
    ),
    both(
      "a limit of the base, which responses contain",
      { ...derived("a: string"), answer: "base: Base" },
      { ...derived("a: string + maxLength = 4"), answer: "base: Base" },
      ...(["breaks", "differs", "request-bound-tightened"] as const),
    ),
    both(
      "a struct that becomes partial, and a new field of its base",
      alsoBase(before),
      { ...alsoBase(now), types: `${alsoBase(now).types}\n  + partial = true` },
      ...(["breaks", "breaks", required] as const),
    ),
    both("a struct that is now derived", written, derived(before), "same", "same"),
  ];
}

/** `card: a, b?; cash: c` → a field `way`, and fields of its kinds, with values of one type. */
function ways(text: string, side: "request" | "answer"): Parts {
  const needs = new Map<string, string[]>();
  const names = text.split(";").map((part) => {
    const [kind = "", fields = ""] = part.split(":").map((one) => one.trim());
    for (const field of fields.split(",").map((one) => one.trim())) {
      const name = field.replace("?", "");
      if (name === "") continue;
      needs.set(name, [...(needs.get(name) ?? []), `way.${kind}${field.endsWith("?") ? "?" : ""}`]);
    }
    return kind;
  });
  const fields = [...needs].map(
    ([name, lines]) => `${name}?: int32${lines.map((line) => ` + when = ${line}`).join("")}`,
  );
  const values = names.map((name) => `  - ${name}`).join("\n");
  return { types: `enum Way: string\n${values}`, [side]: ["way: Way", ...fields].join("; ") };
}

function kindChanges(): readonly Change[] {
  const [narrowed, widened] = ["request-kind-narrowed", "response-kind-widened"] as const;
  const change = (
    side: "request" | "answer",
    name: string,
    before: string,
    now: string,
    ...outcome: Outcome
  ) => both(`${side}: ${name}`, ways(before, side), ways(now, side), ...outcome);
  const two = "x: a; y: b";
  return [
    change("request", "a new kind", two, "x: a; y: b; z: c", "same", "breaks"),
    change(
      "request",
      "a kind less",
      "x: a; y: b; z: a",
      two,
      "breaks",
      "same",
      "request-enum-value-rejected",
    ),
    change("request", "another field for a kind", two, "x: a, c; y: b", "breaks", "differs", narrowed),
    change("request", "another optional field for a kind", two, "x: a, c?; y: b", "same", "differs"),
    change("request", "a field that becomes optional", two, "x: a?; y: b", "same", "breaks"),
    change("request", "a field that becomes required", "x: a?; y: b", two, "breaks", "same", narrowed),
    both(
      "request: a field that may be null becomes required for a kind",
      { ...ways("x: ; y: ", "request"), request: "way: Way; a: int32 + nullable = always" },
      ways("x: a; y: ", "request"),
      "breaks",
      "differs",
      "null-changed",
      narrowed,
    ),
    change("request", "a field that moves", two, "x: a, b; y: ", "breaks", "breaks", narrowed),
    change("request", "a field for one more kind", "x: a; y: b", "x: a; y: a?, b", "same", "breaks"),
    change("request", "a field for one kind less", "x: a; y: a?, b", two, "breaks", "same", narrowed),
    change("answer", "a new kind", two, "x: a; y: b; z: a", "differs", "same", "response-enum-value-unknown"),
    change("answer", "another optional field for a kind", two, "x: a, c?; y: b", "same", "same"),
    change("answer", "a field that becomes optional", two, "x: a?; y: b", "breaks", "same", widened),
    change("answer", "a field that becomes required", "x: a?; y: b", two, "same", "breaks"),
    change("answer", "a field that moves", two, "x: a, b; y: ", "breaks", "breaks", widened),
  ];
}

/** Known changes, each with its verdict for both orders of deployment. */
export const changes: readonly Change[] = [
  both("nothing", {}, {}, "same", "same"),
  // Groups.
  ...groupChanges(),
  // Derived structs.
  ...derivedChanges(),
  // Kinds.
  ...kindChanges(),
  // Routes.
  both("a route", {}, { route: "PUT /do" }, "breaks", "breaks", "route-changed"),
  both("another verb", { route: "PUT /do" }, { route: "POST /do" }, "breaks", "breaks", "route-changed"),
  both("another path", { route: "PUT /do" }, { route: "PUT /{id}" }, "breaks", "breaks", "route-changed"),
  both("a route less", { route: "PUT /do" }, {}, "breaks", "breaks", "route-changed"),
  both(
    "another path of the service",
    { route: "PUT /do" },
    { path: "/v2", route: "PUT /do" },
    "breaks",
    "breaks",
    "route-changed",
  ),
  both(
    "a path that moves from the route to the service",
    { route: "PUT /a/do" },
    { path: "/a", route: "PUT /do" },
    "same",
    "same",
  ),
  both("a path of a service without routes", {}, { path: "/v2" }, "same", "same"),
  both(
    "a new route that an enum value matches",
    byKind,
    withOther("GET /do/old"),
    "breaks",
    "breaks",
    "route-taken",
  ),
  both("a new route that no enum value matches", byKind, withOther("GET /do/some"), "same", "breaks"),
  both("a new route with another verb", byKind, withOther("PUT /do/old"), "same", "breaks"),
  both("a new route with more segments", byKind, withOther("GET /do/old/more"), "same", "breaks"),
  both(
    "a new route that no number matches",
    { route: "GET /do/{id}" },
    { route: "GET /do/{id}", methods: otherMethod("GET /do/old") },
    "same",
    "breaks",
  ),
  both(
    "a new route that a number matches",
    { route: "GET /do/{id}", request: "id2: uint8" },
    { route: "GET /do/{id}", request: "id2: uint8", methods: otherMethod("GET /do/0") },
    "breaks",
    "breaks",
    "route-taken",
  ),
  both(
    "a method that gave its route to another",
    withOther("GET /do/old"),
    { ...byKind, methods: otherMethod("GET /do/old").replace("Other", "Renamed") },
    "breaks",
    "breaks",
    "method-removed",
  ),
  both(
    "an alias for a name in the query",
    { route: "GET /do", request: "name: string" },
    { route: "GET /do", request: "title: string + alias = name" },
    "breaks",
    "breaks",
    "request-form-rejected",
  ),
  both(
    "an alias for a name in the body",
    { route: "PUT /do", request: "name: string" },
    { route: "PUT /do", request: "title: string + alias = name" },
    "same",
    "breaks",
  ),
  both("a slash at the end of a route", { route: "PUT /do" }, { route: "PUT /do/" }, "same", "same"),
  // Presence in requests.
  request("a required field more", "", "name: string", "breaks", "differs", "request-field-required"),
  request("a required field with a default more", "", "name: string + default = x", "same", "differs"),
  request("an optional field more", "", "name?: string", "same", "differs"),
  request("a required field less", "name: string", "", "differs", "breaks", "request-field-ignored"),
  request("an optional field less", "name?: string", "", "differs", "same", "request-field-ignored"),
  request("required became optional", "name: string", "name?: string", "same", "breaks"),
  request(
    "optional became required",
    "name?: string",
    "name: string",
    "breaks",
    "same",
    "request-field-required",
  ),
  request("required got a default", "name: string", "name: string + default = x", "same", "breaks"),
  request(
    "another default",
    "name?: string + default = a",
    "name?: string + default = b",
    "differs",
    "differs",
    "default-changed",
  ),
  request("renamed", "name: string", "title: string", "breaks", "breaks", "request-field-required"),
  request(
    "renamed, as the schema says",
    "name: string",
    "title: string + renamedFrom = name",
    "breaks",
    "breaks",
    "request-field-required",
  ),
  request(
    "an optional field renamed, as the schema says",
    "name?: string",
    "title?: string + renamedFrom = name",
    "differs",
    "differs",
    "request-field-ignored",
  ),
  request(
    "an optional field renamed to its alias",
    "name?: string + alias = title",
    "title?: string",
    "differs",
    "same",
    "request-field-ignored",
  ),
  request(
    "an optional field with another name",
    "name?: string",
    "title?: string",
    "differs",
    "differs",
    "request-field-ignored",
  ),
  request("renamed with its name on the wire", "name: string", "title: string + json = name", "same", "same"),
  request("renamed with an alias", "name: string", "title: string + alias = name", "same", "breaks"),
  request(
    "an alias less",
    "name: string + alias = title",
    "name: string",
    "breaks",
    "same",
    "request-form-rejected",
  ),
  ...[
    ["null gains a meaning", "name?: string", "name?: string + nullable = always"] as const,
    ["null loses its meaning", "name?: string + nullable = always", "name?: string"] as const,
  ].map(([name, before, now]) => request(name, before, now, "differs", "differs", "null-changed")),
  request(
    "null means the default",
    "name?: string + nullable = always + default = a",
    "name: string + default = a",
    "same",
    "same",
  ),
  request("null still means absent", "name?: string", "name?: string + nullable = read", "same", "same"),
  request("null where a value was", "name: string", "name: string + nullable = always", "same", "breaks"),
  request(
    "a field that may be null becomes required",
    "name: string + nullable = always",
    "name: string",
    "breaks",
    "same",
    "request-field-required",
  ),
  // Types in requests.
  request("int32 became int64", "n: int32", "n: int64", "same", "breaks"),
  request("int64 became int32", "n: int64", "n: int32", "breaks", "same", "request-value-rejected"),
  request("int32 became float64", "n: int32", "n: float64", "same", "breaks"),
  request("uint32 became int32", "n: uint32", "n: int32", "breaks", "breaks", "request-value-rejected"),
  request("uint8 became int16", "n: uint8", "n: int16", "same", "breaks"),
  request("int64 became bigint", "n: int64", "n: bigint", "same", "breaks", "code-type-changed"),
  request("string became int32", "n: string", "n: int32", "breaks", "breaks", "request-value-rejected"),
  request("timestamp became string", "at: timestamp", "at: string", "same", "breaks"),
  request("string became any", "v: string", "v: any", "same", "breaks"),
  request(
    "one became a list",
    "tags: string",
    "tags: []string",
    "breaks",
    "breaks",
    "request-value-rejected",
  ),
  request("a wider item", "n: []int8", "n: []int16", "same", "breaks"),
  request(
    "keys of a map became integers",
    "m: map<string,bool>",
    "m: map<uint8,bool>",
    "breaks",
    "same",
    "request-value-rejected",
  ),
  request(
    "bytes became a list of uint8",
    "b: []byte",
    "b: []uint8",
    "breaks",
    "breaks",
    "request-value-rejected",
  ),
  // Limits in requests.
  request(
    "a shorter text",
    "name: string + maxLength = 40",
    "name: string + maxLength = 20",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  request(
    "a longer text",
    "name: string + maxLength = 20",
    "name: string + maxLength = 40",
    "same",
    "breaks",
  ),
  request("a format", "s: string", "s: string + format = date", "breaks", "same", "request-bound-tightened"),
  request("a format of a number", "n: uint8", "n: uint8 + format = email", "same", "same"),
  request("a format that servers do not check", "s: string", "s: string + format = html", "same", "same"),
  request("a minimum", "n: int32", "n: int32 + minimum = 1", "breaks", "same", "request-bound-tightened"),
  request(
    "fewer items",
    "n: []int32 + maxItems = 5",
    "n: []int32 + maxItems = 3",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  request(
    "a pattern",
    "name: string + maxLength = 9",
    'name: string + maxLength = 9 + pattern = "^[a-z]+$"',
    "breaks",
    "same",
    "request-pattern-tightened",
  ),
  request(
    "a pattern of texts of one length",
    'name: string + minLength = 3 + maxLength = 3 + pattern = "^a{3}$"',
    'name: string + minLength = 3 + maxLength = 3 + pattern = "^b{3}$"',
    "breaks",
    "breaks",
    "request-pattern-tightened",
  ),
  request(
    "a wider pattern",
    'name: string + pattern = "^[a-f]+$"',
    'name: string + pattern = "^[a-z]+$"',
    "same",
    "breaks",
  ),
  request(
    "a form less",
    "n: int32 + accepts = string",
    "n: int32",
    "breaks",
    "same",
    "request-form-rejected",
  ),
  request("a form more", "n: int32", "n: int32 + accepts = string", "same", "breaks"),
  request(
    "made lower case",
    "name: string",
    "name: string + normalize = lowercase",
    "differs",
    "differs",
    "normalize-changed",
  ),
  request("a bound at that of its type", "n: uint8", "n: uint8 + maximum = 255", "same", "same"),
  request("a bound past that of its type", "n: uint8", "n: uint8 + maximum = 256", "same", "same"),
  request(
    "a bound past that of its type became the type's own",
    "n: uint8 + maximum = 300",
    "n: uint8 + maximum = 255",
    "same",
    "same",
  ),
  request(
    "a bound below that of its type",
    "n: uint8",
    "n: uint8 + maximum = 254",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  request(
    "a low bound below that of its type became the type's own",
    "n: uint8 + minimum = -1",
    "n: uint8 + minimum = 0",
    "same",
    "same",
  ),
  request(
    "a low bound above that of its type",
    "n: uint8",
    "n: uint8 + minimum = 1",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  request("a text of no characters or more", "s: string", "s: string + minLength = 0", "same", "same"),
  request(
    "a text of one character or more",
    "s: string",
    "s: string + minLength = 1",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  request("no items or more", "n: []int32", "n: []int32 + minItems = 0", "same", "same"),
  request(
    "one item or more",
    "n: []int32",
    "n: []int32 + minItems = 1",
    "breaks",
    "same",
    "request-bound-tightened",
  ),
  // Enums.
  both("request: an enum value more", asked("cat dog"), asked("cat dog cow"), "same", "breaks"),
  both(
    "request: an enum value less",
    asked("cat dog cow"),
    asked("cat dog"),
    "breaks",
    "same",
    "request-enum-value-rejected",
  ),
  both(
    "request: a number of an enum moved",
    numbered("cat dog"),
    numbered("ant cat dog"),
    "breaks",
    "breaks",
    "enum-number-changed",
  ),
  both(
    "request: a string became an enum",
    { request: "kind: string" },
    asked("cat dog"),
    "breaks",
    "same",
    "request-value-rejected",
  ),
  both(
    "answer: an enum value more",
    told("cat dog"),
    told("cat dog cow"),
    "differs",
    "same",
    "response-enum-value-unknown",
  ),
  both("answer: an enum value less", told("cat dog cow"), told("cat dog"), "same", "differs"),
  both(
    "request: an enum key less",
    keyed("cat dog cow", "request"),
    keyed("cat dog", "request"),
    "breaks",
    "same",
    "request-value-rejected",
  ),
  both(
    "answer: an enum key more",
    keyed("cat dog", "answer"),
    keyed("cat dog cow", "answer"),
    "breaks",
    "same",
    "response-value-unexpected",
  ),
  answer(
    "keys of a map became text",
    "m: map<uint8,bool>",
    "m: map<string,bool>",
    "breaks",
    "same",
    "response-value-unexpected",
  ),
  // Responses.
  answer("a field more", "", "name: string", "same", "breaks"),
  answer("a required field less", "name: string", "", "breaks", "same", "response-field-missing"),
  answer("an optional field less", "name?: string", "", "same", "same", "code-field-removed"),
  answer(
    "an optional field renamed, as the schema says",
    "name?: string",
    "title?: string + renamedFrom = name",
    "same",
    "same",
    "code-field-removed",
  ),
  answer(
    "required became optional",
    "name: string",
    "name?: string",
    "breaks",
    "same",
    "response-field-missing",
  ),
  answer("optional became required", "name?: string", "name: string", "same", "breaks"),
  answer(
    "null where nothing was",
    "name?: string",
    "name?: string + nullable = always",
    "breaks",
    "breaks",
    "response-field-missing",
  ),
  answer("renamed", "name: string", "title: string", "breaks", "breaks", "response-field-missing"),
  answer("renamed with a twin", "name: string", "title: string + twin = name", "same", "breaks"),
  answer("int32 became int64", "n: int32", "n: int64", "breaks", "same", "response-value-unexpected"),
  answer("int64 became int32", "n: int64", "n: int32", "same", "breaks"),
  answer("int64 became bigint", "n: int64", "n: bigint", "breaks", "breaks", "response-value-unexpected"),
  answer(
    "a looser bound",
    "name: string + maxLength = 5",
    "name: string + maxLength = 9",
    "differs",
    "same",
    "response-bound-loosened",
  ),
  answer(
    "a tighter bound",
    "name: string + maxLength = 9",
    "name: string + maxLength = 5",
    "same",
    "differs",
  ),
  answer("a struct became a list", "in: Part", "in: []Part", "breaks", "breaks", "response-value-unexpected"),
  // Declarations that are used several times.
  both(
    "a bound of an alias",
    { types: "type Name: string\n  + maxLength = 9", request: "a: Name; b: Name", answer: "c: Name" },
    { types: "type Name: string\n  + maxLength = 5", request: "a: Name; b: Name", answer: "c: Name" },
    "breaks",
    "differs",
    "request-bound-tightened",
  ),
  both(
    "a brand of an alias",
    { types: "type Name: string", request: "a: Name" },
    { types: "type Name: string\n  + brand = true", request: "a: Name" },
    "same",
    "same",
    "code-type-changed",
  ),
  both(
    "the type of an alias",
    { types: "type Id: int32", request: "a: Id; b: []Id", answer: "c: Id" },
    { types: "type Id: string", request: "a: Id; b: []Id", answer: "c: Id" },
    "breaks",
    "breaks",
    "request-value-rejected",
  ),
  both(
    "a field of a struct that requests and answers hold",
    { types: "struct Pet\n  - name: string", request: "a: Pet; b: []Pet", answer: "c: Pet" },
    { types: "struct Pet\n  - name: string\n  - age: int8", request: "a: Pet; b: []Pet", answer: "c: Pet" },
    "breaks",
    "breaks",
    "request-field-required",
  ),
  both(
    "a type renamed",
    { types: "struct Pet\n  - name: string", request: "a: Pet", answer: "c: []Pet" },
    { types: "struct Animal\n  - name: string", request: "a: Animal", answer: "c: []Animal" },
    "same",
    "same",
    "type-renamed",
  ),
  // Methods.
  both("a method more", {}, { methods: "  - More() => ()" }, "same", "breaks"),
  change(
    "a service before others, with a method of the same name",
    contract({}),
    contract({}).replace("service Shop", `${service("Ahead", "Do")}\nservice Shop`),
    ["same", "breaks", "name-reused"],
  ),
  change(
    "a service behind others, with a method of the same name",
    contract({}),
    `${contract({})}\n${service("Behind", "Do")}`,
    ["same", "breaks"],
  ),
  change(
    "a method whose name a later service has",
    `${contract({})}\n${service("Returns", "Get", "Do")}`,
    `${contract({ methods: "  - Get(name: string) => (ok: bool)" })}\n${service("Returns", "Get", "Do")}`,
    ["same", "breaks", "name-reused"],
  ),
  change(
    "a service less, whose method has the name of another one",
    `${contract({})}\n${service("Returns", "Do")}`,
    `${head}basepath = /rpc\n\n${service("Returns", "Do")}`,
    ["breaks", "same", "service-removed", "name-reused", ...renames],
  ),
  both("a method less", { methods: "  - More() => ()" }, {}, "breaks", "same", "method-removed"),
  both("a method renamed", {}, { method: "Make" }, "breaks", "breaks", "method-removed"),
  both(
    "a method renamed, as the schema says",
    {},
    { method: "Make", annotations: "@renamedFrom:Do", request: "name: string" },
    "breaks",
    "breaks",
    "request-field-required",
    "method-removed",
  ),
  both(
    "a method moved to another service",
    {},
    { service: "Store", annotations: "@renamedFrom:Shop.Do" },
    "breaks",
    "breaks",
    "method-removed",
  ),
  both("a service renamed", {}, { service: "Store" }, "breaks", "breaks", "service-removed"),
  both("another base path", {}, { basepath: "/v2" }, "breaks", "breaks", "basepath-changed"),
  both("credentials", {}, { annotations: '@auth:"token"' }, "breaks", "same", "credentials-required"),
  both(
    "other credentials",
    { annotations: '@auth:"token"' },
    { annotations: '@auth:"token,secret"' },
    "breaks",
    "same",
    "credentials-required",
  ),
  both(
    "no credentials any more",
    { annotations: '@auth:"token"' },
    { annotations: "@public" },
    "same",
    "breaks",
  ),
  both("one answer became a stream", {}, { stream: true }, "breaks", "breaks", "response-kind-changed"),
  both(
    "an item of a stream",
    { stream: true, answer: "n: int8" },
    { stream: true, answer: "n: int16" },
    "breaks",
    "same",
    "response-value-unexpected",
  ),
  both(
    "a field of an item of a stream more",
    { stream: true },
    { stream: true, answer: "n: int16" },
    "same",
    "breaks",
  ),
  both("not idempotent any more", { annotations: "@idempotent" }, {}, "differs", "same", "repeat-unsafe"),
  both("without keys", { annotations: "@idempotencyKey" }, {}, "differs", "same", "repeat-unsafe"),
  both(
    "repeated only with a key",
    { annotations: "@idempotent" },
    { annotations: "@idempotencyKey" },
    "differs",
    "same",
    "repeat-unsafe",
  ),
  both(
    "not cached any more",
    { annotations: '@readonly @cache:"60s"' },
    { annotations: "@readonly" },
    "differs",
    "same",
    "read-removed",
  ),
  // Errors.
  both(
    "an error's code",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace("1", "7"), clause: " errors Gone" },
    "breaks",
    "breaks",
    "error-code-changed",
  ),
  both(
    "an error's status",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace("404", "410"), clause: " errors Gone" },
    "differs",
    "differs",
    "error-status-changed",
  ),
  both(
    "an error's words",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace('"gone"', '"it is gone"'), clause: " errors Gone" },
    "same",
    "same",
  ),
  both(
    "an error's data",
    { errors: gone, clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    "same",
    "differs",
  ),
  both(
    "an error's data less",
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    { errors: gone, clause: " errors Gone" },
    "differs",
    "same",
    "error-data-missing",
  ),
  both(
    "another type in an error's data",
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("string")}`, clause: " errors Gone" },
    "breaks",
    "breaks",
    "response-value-unexpected",
  ),
  both(
    "a value in an error's data that callers do not know",
    { errors: `${gone}\n${dataOf("Kind")}`, types: kinds("a b c d e f g h"), clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("Kind")}`, types: kinds("a b c d e f g h i"), clause: " errors Gone" },
    "differs",
    "same",
    "response-enum-value-unknown",
  ),
  both(
    "an error of a method more",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Busy" },
    "differs",
    "same",
    "error-unknown",
  ),
  both(
    "an error of a method less",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Busy" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    "same",
    "differs",
  ),
  both(
    "the last mention of an error went",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone" },
    "differs",
    "same",
    "error-unlisted",
  ),
  both(
    "the last mention of an error went, and every method may return any error",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping()" },
    { ...twoErrors, methods: "  - Ping()" },
    "same",
    "same",
  ),
  both(
    "the first mention of an error came",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    "same",
    "differs",
    "error-newly-listed",
  ),
  both(
    "the first mention of an error came, and no other method has a list",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping()" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping()" },
    "same",
    "same",
  ),
  both(
    "a mention of an error went to another method",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone | Busy" },
    "differs",
    "differs",
    "error-unknown",
  ),
  both("@noErrors came", { errors: gone }, { errors: gone, annotations: "@noErrors" }, "same", "same"),
  both(
    "@noErrors came in place of nothing, and another method lists the error",
    { errors: gone, methods: "  - Ping() errors Gone" },
    { errors: gone, annotations: "@noErrors", methods: "  - Ping() errors Gone" },
    "same",
    "differs",
  ),
  both(
    "@noErrors went",
    { errors: gone, annotations: "@noErrors", methods: "  - Ping() errors Gone" },
    { errors: gone, methods: "  - Ping() errors Gone" },
    "differs",
    "same",
    "error-unknown",
  ),
  both(
    "@noErrors came in place of the last mention",
    { errors: gone, clause: " errors Gone", methods: "  @noErrors\n  - Ping()" },
    { errors: gone, annotations: "@noErrors", methods: "  @noErrors\n  - Ping()" },
    "differs",
    "same",
    "error-unlisted",
  ),
  both(
    "an error that no method lists more",
    { errors: gone, clause: " errors Gone" },
    { ...twoErrors, clause: " errors Gone" },
    "differs",
    "same",
    "error-unknown",
  ),
  both(
    "a new error that one method lists",
    { errors: gone, clause: " errors Gone", methods: "  - Ping()" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    "differs",
    "differs",
    "error-unknown",
  ),
  both(
    "a new error that one method lists, beside a method without a list",
    { errors: gone, methods: "  - Ping()" },
    { ...twoErrors, methods: "  - Ping() errors Busy" },
    "differs",
    "same",
    "error-unknown",
  ),
  both(
    "a declared error more",
    { errors: gone },
    { errors: `${gone}\n${busy}` },
    "differs",
    "same",
    "error-unknown",
  ),
  // Changes that do not affect the wire.
  change(
    "the order of arguments",
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string, b: int32) => (c: bool)\n`,
    `${head}basepath = /rpc\nservice Shop\n  - Do(b: int32, a: string) => (c: bool)\n`,
    ["same", "same"],
  ),
  change(
    "arguments became a struct",
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string, b: int32) => (c: bool)\n`,
    `${head}basepath = /rpc\nstruct DoIn\n  - a: string\n  - b: int32\nstruct DoOut\n  - c: bool\nservice Shop\n  - Do(DoIn) => (DoOut)\n`,
    ["same", "same"],
  ),
  change(
    "an argument more",
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string) => (c: bool)\n`,
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string, b: int32) => (c: bool)\n`,
    ["breaks", "differs", "request-field-required"],
  ),
  change(
    "a name and a version",
    `${head}basepath = /rpc\nservice Shop\n  - Do() => (c: bool)\n`,
    `${head.replace("shop", "store").replace("v1.0.0", "v2.0.0")}basepath = /rpc\nservice Shop\n  - Do() => (c: bool)\n`,
    ["same", "same"],
  ),
  change(
    "a file with the request",
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string) => (c: bool)\n`,
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string, photo?: file) => (c: bool)\n`,
    ["breaks", "breaks", "request-kind-changed"],
  ),
  change(
    "a second file",
    `${head}basepath = /rpc\nservice Shop\n  - Do(photo: file) => (c: bool)\n`,
    `${head}basepath = /rpc\nservice Shop\n  - Do(photo: file, more: file) => (c: bool)\n`,
    ["breaks", "breaks", "request-files-changed"],
  ),
  change(
    "a file in place of an answer",
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string) => (c: bool)\n`,
    `${head}basepath = /rpc\nservice Shop\n  - Do(a: string) => (file)\n`,
    ["breaks", "breaks", "response-kind-changed"],
  ),
];
