import { expect, test } from "vitest";
import { planOf } from "../../../support/sample-plan.ts";

/** `Cache-Control` of the responses to GET, HEAD and QUERY. Undefined for methods that are not reads. */
test.each<[annotations: string, route: string, cacheControl: string | undefined]>([
  ["", "GET /a", "no-cache"],
  ["", "QUERY /a", "no-cache"],
  ["", "POST /a", undefined],
  ["@readonly", "", undefined],
  ["@auth", "GET /a", "no-store"],
  ["@auth:key", "GET /a", "no-store"],
  ["@auth:key", "QUERY /a", "no-store"],
  ['@cache:"0s"', "GET /a", "no-cache"],
  ['@cache:"1s"', "GET /a", "max-age=1"],
  ['@readonly @cache:"1s"', "", "max-age=1"],
  ['@cache:"2m, public"', "GET /a", "public, max-age=120"],
  ['@auth @cache:"1h, private"', "QUERY /a", "private, max-age=3600"],
  ['@auth:key @cache:"365d, vary X-Key"', "GET /a", "max-age=31536000"],
  // Annotations that cannot be followed have no effect.
  ['@cache:"60s"', "POST /a", undefined],
  ['@cache:"60s"', "", undefined],
  ['@readonly @cache:"1 minute"', "", undefined],
  ['@cache:"60s, shared"', "GET /a", "no-cache"],
  ['@auth:key @cache:"60s, public"', "GET /a", "no-store"],
])("%s with the route %j: %s", (annotations, route, cacheControl) => {
  const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n ${annotations}\n - Get()\n   ${route}\n`;
  const [method] = planOf({ "m.ridl": text }, "m.ridl").services[0]?.methods ?? [];
  expect(method?.read?.cacheControl).toBe(cacheControl);
});
