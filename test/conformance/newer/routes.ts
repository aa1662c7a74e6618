import type { NewerRow } from "./rows.ts";

/** A service with one method and its route. */
const one = (method: string, route: string, path = ""): string =>
  `service S\n${path === "" ? "" : `  path = ${path}\n`}  - ${method}\n    ${route}\n`;

/** A service with methods and their routes. */
const service = (name: string, ...lines: readonly string[]): string =>
  `service ${name}\n${lines.map((line) => `  ${/^[-p]/.test(line) ? "" : "  "}${line}\n`).join("")}`;

const scalars = [
  "bool",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
];
const texts = ["float32", "float64", "string", "timestamp", "Kind", "Level", "Name"];
const others = ["byte", "bigint", "any", "null", "Box", "[]string", "map<string,string>", "Names"];
const types =
  "type Name: string\ntype Names: []string\nenum Kind: string\n  - a\nenum Level: uint8\n  - a\nstruct Box\n  - x: int\n";

const syntax: readonly NewerRow[] = [
  ["a route", one("P()", "GET /p")],
  ["a route of POST", one("P()", "POST /p")],
  ["a route of PUT", one("P()", "PUT /p")],
  ["a route of PATCH", one("P()", "PATCH /p")],
  ["a route of DELETE", one("P()", "DELETE /p")],
  ["a route of QUERY", one("P()", "QUERY /p")],
  ["a route that is a slash", one("P()", "GET /")],
  ["a last slash", one("P()", "GET /p/")],
  ["a service path", one("P()", "GET /p", "/users")],
  ["a service path without routes", "service S\n  path = /users\n  - P()\n"],
  ["a service path and a slash", one("P()", "GET /", "/users")],
  ["a service path without blanks", "service S\n  path=/users\n  - P()\n"],
  ["a service path with a comment", "service S\n  path = /users # all of them\n  - P()\n"],
  ["a route with a comment", "service S\n  - P()\n    GET /p # the route\n\n  - Q()\n"],
  [
    "a comment above a route",
    "service S\n  # of the method\n  - P()\n    # of the route\n    GET /p\n\n  - Q()\n",
  ],
  ["a route on the line of its method", "service S\n  - P() GET /p\n  - Q()\n"],
  ["a route after a clause of errors", 'error 1 Gone "gone"\nservice S\n  - P() errors Gone GET /p\n'],
  ["a route below a clause of errors", 'error 1 Gone "gone"\nservice S\n  - P() errors Gone\n    GET /p\n'],
  ["an annotation after a route", "service S\n  - P()\n    GET /p @internal\n  - Q()\n", "RK101"],
  ["a method after a route", "service S\n  - P()\n    GET /p - Q()\n", "RK101"],
  ["an annotation after a service path", "service S\n  path = /s @internal\n  - P()\n", "RK101"],
  ["a route below a succinct method", "struct A\nservice S\n  - P(A) => (A)\n    GET /p\n"],
  ["a route below annotations of the next method", "service S\n  - P()\n  @internal\n    GET /p\n  - Q()\n"],
  ["a route without indentation", "service S\n- P()\nGET /p\n- Q()\n"],
  ["a route after a blank line", "service S\n  - P()\n\n    GET /p\n"],
  ["a route at the end of the file", "service S\n  - P()\n    GET /p"],
  ["two methods with routes", service("S", "- P()", "GET /p", "- Q()", "GET /q")],
  ["one path with two verbs", service("S", "- P()", "GET /p", "- Q()", "POST /p")],
  ["a method without a route beside one", service("S", "- P()", "- Q()", "GET /q")],
  [
    "two services",
    `${service("A", "path = /a", "- P()", "GET /p")}${service("B", "path = /b", "- P()", "GET /p")}`,
  ],
  ["all characters of a segment", one("P()", "GET /aZ0._~-9")],
  ["a dot at the start", one("P()", "GET /.well-known/x")],
  ["a method called path", "service S\n  - path()\n    GET /p\n"],
  ["a field called path", "struct A\n  - path: string\n  - GET: string\nservice S\n  - P()\n"],
  ["a route above the methods", "service S\n  GET /p\n  - P()\n", "RK131"],
  ["two routes", "service S\n  - P()\n    GET /p\n    PUT /p\n", "RK132"],
  ["two service paths", "service S\n  path = /a\n  path = /b\n  - P()\n", "RK133"],
  ["a service path below a method", "service S\n  - P()\n  path = /a\n", "RK134"],
  ["a service path without a value", "service S\n  path =\n  - P()\n", "RK106"],
  ["a route without a path", "service S\n  - P()\n    GET\n", "RK106"],
  ["a service path in quotes", 'service S\n  path = "/a"\n  - P()\n', "RK101"],
  ["a route in quotes", 'service S\n  - P()\n    GET "/a"\n', "RK101"],
  ["an unknown verb", one("P()", "FETCH /p"), "RK356"],
  ["a verb of HTTP that routes lack", one("P()", "HEAD /p"), "RK356"],
  ["a verb in lower case", one("P()", "get /p"), "RK356"],
  ["a word after a path", one("P()", "GET /p q"), "RK101"],
  ["a query in a path", one("P()", "GET /p?q"), "RK101"],
  ["a colon in a path", one("P()", "GET /p:q"), "RK101"],
  ["a minus at the start of a segment", one("P()", "GET /-p"), "RK101"],
];

const paths: readonly NewerRow[] = [
  ["no slash at the start", one("P()", "GET p"), "RK359"],
  ["no slash at the start of a service path", one("P()", "GET /p", "users"), "RK359"],
  ["a fragment", one("P()", "GET /p#q"), "RK359"],
  ["a star", one("P()", "GET /p*"), "RK359"],
  ["a percent sign", one("P()", "GET /p%20"), "RK359"],
  ["a parameter in a segment", one("P(id: int)", "GET /p-{id}"), "RK359"],
  ["a text after a parameter", one("P(id: int)", "GET /{id}.json"), "RK359"],
  ["two parameters in a segment", one("P(a: int, b: int)", "GET /{a}{b}"), "RK359"],
  ["a parameter without a name", one("P()", "GET /{}"), "RK359"],
  ["a parameter that starts with a digit", one("P()", "GET /{1}"), "RK359"],
  ["a parameter that starts with an underscore", one("P()", "GET /{_a}"), "RK359"],
  ["a parameter with a minus", one("P()", "GET /{a-b}"), "RK359"],
  ["a brace that is not closed", one("P()", "GET /{a"), "RK359"],
  ["a brace that is not opened", one("P()", "GET /a}"), "RK359"],
];

const parameters: readonly NewerRow[] = [
  ...[...scalars, ...texts].map(
    (type): NewerRow => [`a parameter of ${type}`, `${types}${one(`P(id: ${type})`, "GET /{id}")}`],
  ),
  ...others.map(
    (type): NewerRow => [`a parameter of ${type}`, `${types}${one(`P(id: ${type})`, "GET /{id}")}`, "RK363"],
  ),
  ["a parameter of a service path", one("P(org: int)", "GET /p", "/orgs/{org}")],
  ["parameters of both paths", one("P(org: int, id: int)", "GET /{id}", "/orgs/{org}")],
  ["a parameter of a struct", `struct Get\n  - id: int\n${empty()}${one("P(Get) => (E)", "GET /{id}")}`],
  [
    "a parameter by its name in JSON",
    `struct Get\n  - id: int\n    + json = petId\n${empty()}${one("P(Get) => (E)", "GET /{petId}")}`,
  ],
  ["a parameter of a body", one("P(id: int, name: string)", "PUT /{id}")],
  ["a parameter with an underscore", one("P(a_1: int)", "GET /{a_1}")],
  ["a parameter of one letter", one("P(a: int)", "GET /{a}")],
  [
    "a parameter by the name that JSON lacks",
    `struct Get\n  - id: int\n    + json = petId\n${empty()}${one("P(Get) => (E)", "GET /{id}")}`,
    "RK361",
  ],
  [
    "a parameter that is not sent",
    `struct Get\n  - id: int\n    + json = -\n${empty()}${one("P(Get) => (E)", "GET /{id}")}`,
    "RK361",
  ],
  ["an unknown parameter", one("P(id: int)", "GET /{petId}"), "RK361"],
  ["an unknown parameter of a body", one("P()", "POST /{id}"), "RK361"],
  ["an unknown parameter in another case", one("P(id: int)", "GET /{ID}"), "RK361"],
  ["an unknown parameter of a service path", one("P()", "GET /p", "/orgs/{org}"), "RK361"],
  ["a service path with a parameter and no route", "service S\n  path = /orgs/{org}\n  - P()\n"],
  ["an optional parameter", one("P(id?: int)", "GET /{id}"), "RK362"],
  ["a parameter twice", one("P(id: int)", "GET /p/{id}/{id}"), "RK360"],
  ["a parameter twice in both paths", one("P(id: int)", "GET /{id}", "/orgs/{id}"), "RK360"],
];

function empty(): string {
  return "struct E\n";
}

const goStruct = (lines: string): string => `struct Get\n  - a: int\n${lines}${empty()}`;

/** The name of the field "a" in Go's JSON, which parameters bind to. */
const goNames: readonly (readonly [name: string, lines: string, parameter: string])[] = [
  ["Go's name", "    + go.tag.json = id\n", "id"],
  ["Go's name with options", "    + go.tag.json = id,omitempty\n", "id"],
  ["Go's name below a JSON name that hides the field", "    + json = -\n    + go.tag.json = id\n", "id"],
  ["Go's name below the JSON name", "    + json = b\n    + go.tag.json = id\n", "id"],
  ["the JSON name below Go's name", "    + go.tag.json = id\n    + json = b\n", "b"],
];

const queries: readonly NewerRow[] = [
  ...["bool", "uint64", "string", "timestamp", "Kind", "Name", "[]int", "[]Kind", "[]Name"].map(
    (type): NewerRow => [`a query of ${type}`, `${types}${one(`P(q: ${type})`, "GET /p")}`],
  ),
  ...[...others.filter((type) => type !== "[]string"), "[]Box", "[]byte", "[][]string", "[]Names"].map(
    (type): NewerRow => [`a query of ${type}`, `${types}${one(`P(q: ${type})`, "GET /p")}`, "RK364"],
  ),
  ["an optional query", one("P(q?: string)", "GET /p")],
  ["an optional list as a query", one("P(q?: []string)", "GET /p")],
  ["a query of DELETE", `${types}${one("P(q: Box)", "DELETE /p")}`, "RK364"],
  ["a query of QUERY", `${types}${one("P(q: Box)", "QUERY /p")}`, "RK364"],
  ["a body of POST", `${types}${one("P(q: Box)", "POST /p")}`],
  ["a body of PUT", `${types}${one("P(q: Box)", "PUT /p")}`],
  ["a body of PATCH", `${types}${one("P(q: map<string,any>)", "PATCH /p")}`],
  [
    "a query of a field of a struct",
    `${types}struct Get\n  - box: Box\n${empty()}${one("P(Get) => (E)", "GET /p")}`,
    "RK364",
  ],
  [
    "a struct that is not sent beside a query",
    `${types}struct Get\n  - box: Box\n    + json = -\n${empty()}${one("P(Get) => (E)", "GET /p")}`,
    "RK364",
  ],
  [
    "a scalar that is not sent beside a query",
    `struct Get\n  - id: int\n    + json = -\n${empty()}${one("P(Get) => (E)", "GET /p")}`,
  ],
  ...goNames.flatMap(([name, lines, parameter]): readonly NewerRow[] => [
    [`a parameter by ${name}`, `${goStruct(lines)}${one("P(Get) => (E)", `GET /{${parameter}}`)}`],
    [
      `a parameter by the field's name with ${name}`,
      `${goStruct(lines)}${one("P(Get) => (E)", "GET /{a}")}`,
      "RK361",
    ],
    [`a query by ${name}`, `${goStruct(lines)}${one("P(Get) => (E)", "GET /p")}`],
  ]),
];

const placement: readonly NewerRow[] = [
  ["a streamed response", one("P() => stream (a: int)", "POST /p"), "RK357"],
  ["a streamed request", one("stream P(a: int)", "POST /p"), "RK338", "RK357"],
  ["a file that comes in", one("P(a: file)", "POST /p"), "RK358"],
  ["a list of files", one("P(a: []file)", "POST /p"), "RK358"],
  ["a file that goes out", one("P() => (a: file)", "GET /p"), "RK358"],
  ["a struct with a file", `struct F\n  - f: file\n${empty()}${one("P(F) => (E)", "POST /p")}`, "RK358"],
  ["an argument with a file", `struct F\n  - f: file\n${one("P(f: F)", "GET /p")}`, "RK358"],
];

const overlaps: readonly NewerRow[] = [
  ["a text beside a parameter", service("S", "- P()", "GET /a/b", "- Q(x: int)", "GET /a/{x}")],
  ["a parameter beside a text", service("S", "- Q(x: int)", "GET /a/{x}", "- P()", "GET /a/b")],
  ["different lengths", service("S", "- P(x: int)", "GET /a/{x}", "- Q(x: int, y: int)", "GET /a/{x}/{y}")],
  ["different texts", service("S", "- P(x: int)", "GET /a/{x}", "- Q(x: int)", "GET /b/{x}")],
  ["one shape with two verbs", service("S", "- P(x: int)", "GET /a/{x}", "- Q(y: int)", "DELETE /a/{y}")],
  ["texts in different cases", service("S", "- P()", "GET /a", "- Q()", "GET /A")],
  ["one route twice", service("S", "- P()", "GET /a", "- Q()", "GET /a"), "RK366"],
  ["one shape twice", service("S", "- P(x: int)", "GET /{x}", "- Q(y: int)", "GET /{y}"), "RK366"],
  ["one route twice but for a slash", service("S", "- P()", "GET /a", "- Q()", "GET /a/"), "RK366"],
  ["ambiguous routes", service("S", "- P(x: int)", "GET /a/{x}/c", "- Q(y: int)", "GET /a/b/{y}"), "RK367"],
  [
    "ambiguous shapes with two verbs",
    service("S", "- P(x: int)", "GET /a/{x}/c", "- Q(y: int)", "PUT /a/b/{y}"),
  ],
  [
    "one path in two services",
    `${service("A", "- P()", "GET /x")}${service("B", "- P()", "GET /x")}`,
    "RK365",
  ],
  [
    "one path with two verbs in two services",
    `${service("A", "- P()", "GET /x")}${service("B", "- P()", "PUT /x")}`,
    "RK365",
  ],
  [
    "a text and a parameter in two services",
    `${service("A", "- P()", "GET /x")}${service("B", "- P(y: int)", "GET /{y}")}`,
    "RK365",
  ],
  [
    "one path by two service paths",
    `${service("A", "path = /x", "- P()", "GET /y")}${service("B", "- P()", "GET /x/y")}`,
    "RK365",
  ],
  ["the default path of its method", service("S", "- P()", "GET /S/P"), "RK368"],
  [
    "the default path of a method of another service",
    `${service("A", "- P()", "GET /B/Q")}${service("B", "- Q()")}`,
    "RK368",
  ],
  ["the default path by parameters", service("S", "- P(x: string, y: string)", "POST /{x}/{y}"), "RK368"],
  ["the default path by a service path", service("S", "path = /S", "- P(x: string)", "GET /{x}"), "RK368"],
  ["the default path of a service with slashes", service('"/S/"', "- P(x: string)", "GET /{x}/P"), "RK368"],
  ["the default path in another case", service("S", "- P()", "GET /s/p")],
];

/** REST routes, which the sources of webrpc have since v0.47 or v0.48. */
export const routeRows: readonly NewerRow[] = [
  ...syntax,
  ...paths,
  ...parameters,
  ...queries,
  ...placement,
  ...overlaps,
];
