import { describe, expect, test } from "vitest";
import {
  adminPortOf,
  type Config,
  hasExplorer,
  isLoopback,
  isSandbox,
} from "../../../../server/base/config/config.ts";
import { faultOfPorts, type Setting } from "../../../../server/base/config/setting.ts";
import { faultOfRange, settings } from "../../../../server/base/config/settings.ts";

/** Numeric settings with their minimum, maximum and default. */
const numbers: readonly (readonly [
  key: keyof Config,
  min: number,
  max: number,
  fallback: number | undefined,
])[] = [
  ["port", 0, 65_535, 4_000],
  ["adminPort", 0, 65_535, undefined],
  ["databaseConnections", 2, 500, 10],
  ["databaseStatementTimeoutMs", 100, 60_000, 8_000],
  ["readMaxMs", 50, 60_000, 1_000],
  ["swapDeadlineSeconds", 30, 86_400, 1_200],
  ["swapMaxPriceImpactPercent", 1, 100, 90],
  ["rateLimitProject", 1, 1_000_000_000, 6_000],
  ["rateLimitAddress", 1, 1_000_000_000, 3_000],
  ["connectionsPerAddress", 1, 10_000, 256],
  ["maxConcurrentCalls", 1, 100_000, 250],
  ["maxLagMs", 10, 60_000, 100],
  ["stopMaxSeconds", 0, 3_600, 20],
  ["stopDelaySeconds", 0, 3_600, 0],
  ["tracingSamplePercent", 0, 100, 100],
];

test("every setting that is a number has a row here", () => {
  const found = Object.entries(settings).filter(
    ([, { valueName }]: [string, Setting<unknown>]) => valueName === "N",
  );
  expect(found.map(([key]) => key).sort()).toEqual(numbers.map(([key]) => key).sort());
});

describe.each(numbers)("%s", (key, min, max, fallback) => {
  const { read, fallback: found }: Setting<unknown> = settings[key];
  const refused = { expected: `expected a whole number from ${min} to ${max}` };

  test(`is ${fallback} by default`, () => {
    expect(found).toBe(fallback);
  });

  test.each([min, min + 1, max - 1, max])("may be %i, as a number and as text", (value) => {
    for (const given of [value, String(value)]) expect(read(given)).toEqual({ value });
  });

  test.each([min - 1, max + 1, min + 0.5])("may not be %d", (value) => {
    for (const given of [value, String(value)]) expect(read(given)).toEqual(refused);
  });
});

test.each([
  ["0", false],
  ["1", true],
  ["65535", true],
  ["65536", false],
  ["1-65535", true],
  ["443-443", true],
  ["444-443", false],
  ["0-443", false],
  ["1-65536", false],
])("whether %s is a port or a range of ports: %s", (text, isGood) => {
  expect(faultOfPorts(text) === undefined).toBe(isGood);
});

test.each([
  ["10.0.0.0/0", true],
  ["10.0.0.0/32", true],
  ["10.0.0.0/33", false],
  ["10.0.0.0/-1", false],
  ["::1/0", true],
  ["::1/128", true],
  ["::1/129", false],
  ["10.0.0.0", true],
  ["10.0.0.256", false],
])("whether %s is a range of addresses: %s", (text, isGood) => {
  expect(faultOfRange(text) === undefined).toBe(isGood);
});

test.each([
  ["localhost", true],
  ["::1", true],
  ["127.0.0.0", true],
  ["127.0.0.1", true],
  ["127.255.255.255", true],
  ["126.255.255.255", false],
  ["128.0.0.0", false],
  ["127.0.0.1.example", false],
  ["0.0.0.0", false],
  ["::", false],
  ["::2", false],
])("whether %s is only reachable from this machine: %s", (host, is) => {
  expect(isLoopback(host)).toBe(is);
});

test.each([
  [undefined, 4_000, 4_001],
  [undefined, 1, 2],
  [undefined, 65_534, 65_535],
  [undefined, 65_535, 65_534],
  [undefined, 0, 0],
  [0, 4_000, 0],
  [5_000, 0, 5_000],
])(
  "with the setting adminPort %s and the port %i, the admin server listens on %i",
  (adminPort, port, expected) => {
    expect(adminPortOf({ adminPort, port })).toBe(expected);
  },
);

const ours = {
  sandbox: undefined,
  explorer: undefined,
  production: false,
  host: "127.0.0.1",
  databaseUrl: undefined,
};

test.each([
  [{}, true],
  [{ host: "0.0.0.0" }, false],
  [{ production: true }, false],
  [{ databaseUrl: "postgres://db.example/x" }, false],
  [{ databaseUrl: "postgres://db.example/x", sandbox: true }, true],
  [{ sandbox: false }, false],
])("whether a host with %j is a sandbox and serves the explorer: %s", (given, is) => {
  const config = { ...ours, ...given } as Config;
  expect(isSandbox(config)).toBe(is);
  expect(hasExplorer(config)).toBe(is);
  expect(hasExplorer({ ...config, explorer: !is })).toBe(!is);
});
