import { describe, expect, test } from "vitest";
import { shouldUseColor } from "../../../../../generator/language/diagnostics/paint.ts";
import { type CallCall, readSettings } from "../../../../../generator/tools/cli/call/settings.ts";
import type { Schema } from "../../../../../generator/tools/cli/config/schemas.ts";
import {
  addressMessage,
  readAddress,
  readHeaders,
} from "../../../../../generator/tools/cli/servers/server-options.ts";

const settings = (options: object, env: object = {}, schema?: Schema): unknown =>
  readSettings({ options: { url: "http://h", ...options }, env } as unknown as CallCall, schema);

describe("settings", () => {
  test.each([
    ["0", 0],
    ["1ms", 1],
    ["500ms", 500],
    ["1.5s", 1_500],
    ["0.001s", 1],
    ["2m", 120_000],
    ["999999ms", 999_999],
  ])("--timeout %s is %i ms", (timeout, timeoutMs) => {
    expect(settings({ timeout })).toMatchObject({ timeoutMs });
  });

  test.each(["", "0ms", "0s", "00", "1", "1h", "-1s", "1.5", "1.2345s", "1000000ms", "1 s", "s", "1s2m"])(
    "--timeout %j is refused",
    (timeout) => {
      expect(settings({ timeout })).toBe(
        `--timeout takes a time such as 500ms, 30s or 2m, or 0 for no limit; found "${timeout}".`,
      );
    },
  );

  const withServer = { generation: { openapi: { servers: [{ url: "http://c/" }] } } } as unknown as Schema;

  test.each<[string, object, object, Schema | undefined, unknown]>([
    ["the option", { url: "http://o/" }, { RIDLKIT_URL: "http://e" }, withServer, { address: "http://o" }],
    [
      "the environment",
      { url: undefined },
      { RIDLKIT_URL: "http://e/a//" },
      withServer,
      { address: "http://e/a" },
    ],
    ["the configuration", { url: undefined }, { RIDLKIT_URL: "" }, withServer, { address: "http://c" }],
  ])("the server comes from %s", (_case, options, env, schema, expected) => {
    expect(settings(options, env, schema)).toMatchObject(expected as object);
  });

  test.each([
    [["X-A: 1", "X-B:2"], { "X-A": "1", "X-B": "2" }],
    [["X-A: a:b"], { "X-A": "a:b" }],
    [["X-A: 1", "X-A: 2"], { "X-A": "2" }],
    [["X-A:"], undefined],
    [[": a"], undefined],
    [["X-A: 1", "X B: 2"], undefined],
  ])("the headers %j", (texts, headers) => {
    expect(readHeaders(texts)).toEqual(headers);
  });

  test.each([
    ["http://h:1/a/", "http://h:1/a"],
    ["https://h", "https://h"],
    ["HTTP://H", "http://h"],
    ["ftp://h", undefined],
    ["localhost:3000", undefined],
    ["h", undefined],
  ])("the address %s", (text, address) => {
    expect(readAddress(text)).toBe(address);
  });

  test.each([
    ["h:1", "http://h:1"],
    ["//h", "http://h"],
    ["ftp://h", "http://h"],
  ])("in place of %s, %s is proposed", (found, proposed) => {
    expect(addressMessage("--url", found)).toBe(`--url takes a URL such as ${proposed}; found "${found}".`);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean | undefined, boolean, boolean]>([
    ["a terminal", {}, undefined, true, true],
    ["a pipe", {}, undefined, false, false],
    ["a pipe, with --color", {}, true, false, true],
    ["a terminal, with --no-color", { FORCE_COLOR: "1" }, false, true, false],
    ["a pipe, with FORCE_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, undefined, false, true],
    ["a terminal, with FORCE_COLOR=0", { FORCE_COLOR: "0" }, undefined, true, false],
    ["a terminal, with FORCE_COLOR=false", { FORCE_COLOR: "false" }, undefined, true, false],
    ["a terminal, with an empty FORCE_COLOR", { FORCE_COLOR: "" }, undefined, true, true],
    ["a terminal, with NO_COLOR", { NO_COLOR: "1" }, undefined, true, false],
    ["a terminal, with an empty NO_COLOR", { NO_COLOR: "" }, undefined, true, true],
    ["a dumb terminal", { TERM: "dumb" }, undefined, true, false],
    ["another terminal", { TERM: "xterm" }, undefined, true, true],
  ])("colors in %s", (_case, env, flag, isTerminal, expected) => {
    expect(shouldUseColor(env, flag, isTerminal)).toBe(expected);
  });
});
