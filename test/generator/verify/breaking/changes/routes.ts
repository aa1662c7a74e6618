import { asked, both, type Change, type Parts } from "./change.ts";

/** Calls of `Do` have an enum value in the path. */
const byKind: Parts = { ...asked("old new"), route: "GET /do/{kind}" };

function otherMethod(route: string): string {
  return `  - Other() => (ok: bool)\n    ${route}`;
}

function withOther(route: string): Parts {
  return { ...byKind, methods: otherMethod(route) };
}

export const routeChanges: readonly Change[] = [
  both("a route", {}, { route: "PUT /do" }, ["breaks", "breaks", "route-changed"]),
  both("another verb", { route: "PUT /do" }, { route: "POST /do" }, ["breaks", "breaks", "route-changed"]),
  both("another path", { route: "PUT /do" }, { route: "PUT /{id}" }, ["breaks", "breaks", "route-changed"]),
  both("a route less", { route: "PUT /do" }, {}, ["breaks", "breaks", "route-changed"]),
  both("another path of the service", { route: "PUT /do" }, { path: "/v2", route: "PUT /do" }, [
    "breaks",
    "breaks",
    "route-changed",
  ]),
  both(
    "a path that moves from the route to the service",
    { route: "PUT /a/do" },
    { path: "/a", route: "PUT /do" },
    ["same", "same"],
  ),
  both("a path of a service without routes", {}, { path: "/v2" }, ["same", "same"]),
  both("a new route that an enum value matches", byKind, withOther("GET /do/old"), [
    "breaks",
    "breaks",
    "route-taken",
  ]),
  both("a new route that no enum value matches", byKind, withOther("GET /do/some"), ["same", "breaks"]),
  both("a new route with another verb", byKind, withOther("PUT /do/old"), ["same", "breaks"]),
  both("a new route with more segments", byKind, withOther("GET /do/old/more"), ["same", "breaks"]),
  both(
    "a new route that no number matches",
    { route: "GET /do/{id}" },
    { route: "GET /do/{id}", methods: otherMethod("GET /do/old") },
    ["same", "breaks"],
  ),
  both(
    "a new route that a number matches",
    { route: "GET /do/{id}", request: "id2: uint8" },
    { route: "GET /do/{id}", request: "id2: uint8", methods: otherMethod("GET /do/0") },
    ["breaks", "breaks", "route-taken"],
  ),
  both(
    "a method that gave its route to another",
    withOther("GET /do/old"),
    { ...byKind, methods: otherMethod("GET /do/old").replace("Other", "Renamed") },
    ["breaks", "breaks", "method-removed"],
  ),
  both(
    "an alias for a name in the query",
    { route: "GET /do", request: "name: string" },
    { route: "GET /do", request: "title: string + alias = name" },
    ["breaks", "breaks", "request-form-rejected"],
  ),
  both(
    "an alias for a name in the body",
    { route: "PUT /do", request: "name: string" },
    { route: "PUT /do", request: "title: string + alias = name" },
    ["same", "breaks"],
  ),
  both("a slash at the end of a route", { route: "PUT /do" }, { route: "PUT /do/" }, ["same", "same"]),
];
