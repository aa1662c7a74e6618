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
let known: ReadonlySet<string>;

beforeAll(async () => {
  host = await startHost({});
  const text = await (await fetch(`${host.adminUrl}/metrics`)).text();
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
