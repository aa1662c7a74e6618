/** The alert rules and the dashboard name metrics that a host has. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type RunningHost, startHost } from "../support/host.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/platform/monitoring/${name}`, import.meta.url), "utf8");
const { groups } = parse(read("alerts.yml")) as Rules;
const { panels } = JSON.parse(read("dashboard.json")) as Dashboard;

let host: RunningHost;
let text: string;
let known: ReadonlySet<string>;

beforeAll(async () => {
  const details = { rpcUrls: ["http://127.0.0.1:9"], follow: true };
  host = await startHost({
    args: ["--networks", "31337", "--no-sandbox-chain"],
    env: { NETWORK_DETAILS: JSON.stringify({ 31337: details }) },
  });
  text = await (await fetch(`${host.adminUrl}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const own = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  // Prometheus itself records `up` for each target.
  known = new Set([...own, "up"]);
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
});

test.each([
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
])("%s: every metric exists", (_, expr) => {
  const names = [...new Set(expr.match(/\b(platform_[a-z_]+|up)\b/g))];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

/** Their labels are known only when there is a call or a request, and the rules compare their rates. */
const withoutStart = [
  "platform_calls_total",
  "platform_client_calls_total",
  "platform_project_calls_total",
  "platform_chain_node_requests_total",
  "platform_chain_node_weight_total",
];

test("every other counter has its value from the start, so that rules see the first increase", () => {
  const counters = [...text.matchAll(/^# TYPE (platform_\S+) counter$/gm)].map(([, name = ""]) => name);
  expect(counters).toEqual(expect.arrayContaining(withoutStart));
  const absent = counters.filter((name) => !new RegExp(`^${name}(\\{.*\\})? `, "m").test(text));
  expect(absent.filter((name) => !withoutStart.includes(name))).toEqual([]);
});
