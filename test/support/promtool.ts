/** Tests alert rules by promtool, with the metrics of a host as samples. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./helper-program.ts";

/** Undefined if it is not installed. Its package is `prometheus`. */
export const promtool: string | undefined = findProgram("promtool", "prometheus");

/** Samples by series, such as `platform_redis_up` or `platform_calls_total{error=""}`, and the type of each metric. */
interface Scrape {
  readonly types: ReadonlyMap<string, string>;
  readonly samples: ReadonlyMap<string, number>;
}

function readScrape(text: string): Scrape {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name = "", type = ""]) => [name, type] as const,
  );
  const samples = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(
    ([, series = "", value]) => [series, Number(value)] as const,
  );
  return { types: new Map(types), samples: new Map(samples) };
}

export interface Alert {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface FaultMetrics {
  /** The texts of `/metrics` before a fault, while it lasts, and after it. Empty if the host did not respond. */
  readonly before: string;
  readonly during: readonly string[];
  readonly after: string;
}

/** How long each of them lasts, in minutes. */
const minutes = { before: 80, during: 40, end: 1, after: 89 } as const;

/** Alerts of the first minutes are ignored: to rules that look back an hour, the series are new. */
const historyMinutes = 70;

/**
 * Fails unless exactly these alerts fire in the course of the fault, until its end, and none before and long after it. Counters grow
 * evenly from one scrape to the next while the fault lasts, and in one minute at its end; gauges keep the value of the scrape.
 */
export async function checkAlerts(
  program: string,
  rules: { readonly file: string; readonly metrics: ReadonlySet<string> },
  instance: string,
  fault: FaultMetrics,
  alerts: readonly Alert[],
): Promise<void> {
  const faultEnd = minutes.before + minutes.during - 1;
  const end = minutes.before + minutes.during + minutes.end + minutes.after - 1;
  const firing = (from: number, to: number, names: readonly string[]) => ({
    expr: `count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${to - from}m]))`,
    eval_time: `${to}m`,
    exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  });
  const test = {
    interval: "1m",
    input_series: seriesOf(fault, rules.metrics, instance),
    alert_rule_test: alerts.map(({ alert, labels, summary }) => ({
      eval_time: `${faultEnd}m`,
      alertname: alert,
      exp_alerts: [{ exp_labels: labels, exp_annotations: { summary } }],
    })),
    promql_expr_test: [
      firing(historyMinutes, minutes.before - 1, []),
      firing(
        historyMinutes,
        end,
        alerts.map(({ alert }) => alert),
      ),
      firing(end - 1, end, []),
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), "alerts-"));
  const file = join(folder, "test.json");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rules.file], evaluation_interval: "1m", tests: [test] }));
  try {
    await run(program, ["test", "rules", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks names, labels and descriptions of the platform's own metrics. Some that prom-client adds about Node.js break the conventions. */
export async function checkNames(program: string, scrape: string): Promise<void> {
  const own = scrape.match(/^(# \w+ )?platform_.*\n/gm) ?? [];
  await run(program, ["check", "metrics"], own.join(""));
}

function seriesOf(
  fault: FaultMetrics,
  metrics: ReadonlySet<string>,
  instance: string,
): readonly { readonly series: string; readonly values: string }[] {
  const scrapes = [
    { ...readScrape(fault.before), length: minutes.before },
    ...fault.during.map((text) => ({ ...readScrape(text), length: minutes.during / fault.during.length })),
    { ...readScrape(fault.after), length: minutes.end },
    { ...readScrape(fault.after), length: minutes.after },
  ];
  const types = new Map(scrapes.flatMap((scrape) => [...scrape.types]));
  const names = new Set(scrapes.flatMap(({ samples }) => [...samples.keys()]));
  const used = [...names].filter((series) => metrics.has(metricOf(series)));
  const own = used.map((series) => {
    const isCounter = types.get(metricOf(series).replace(/_(count|sum|bucket)$/, "")) !== "gauge";
    const values = scrapes.flatMap(({ samples, length }, index) => {
      const to = samples.get(series);
      const from = index === 0 ? to : scrapes[index - 1]?.samples.get(series);
      return phase(from, to, length, isCounter);
    });
    return { series: withLabels(series, instance), values: values.join(" ") };
  });
  const up = scrapes.flatMap(({ types, length }) => Array<string>(length).fill(types.size > 0 ? "1" : "0"));
  return [{ series: withLabels("up", instance), values: up.join(" ") }, ...own];
}

/** The samples of a phase, one a minute, at whose end the value is `to`. */
function phase(
  from: number | undefined,
  to: number | undefined,
  length: number,
  isCounter: boolean,
): readonly string[] {
  return Array.from({ length }, (_, minute) => {
    if (to === undefined) return "stale";
    if (Number.isNaN(to)) return "_";
    // A process that was restarted counts from 0. A series that was absent begins with its first value.
    const start = !isCounter || from === undefined || to < from ? to : from;
    return String(start + ((to - start) * (minute + 1)) / length);
  });
}

function metricOf(series: string): string {
  return series.split("{")[0] ?? "";
}

function withLabels(series: string, instance: string): string {
  const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  const target = `instance="${instance}",job="platform"`;
  return `${name}{${labels === "" ? target : `${labels},${target}`}}`;
}

function run(program: string, args: readonly string[], input = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, (err, stdout, stderr) => {
      if (err === null) resolve();
      else reject(new Error(`promtool ${args.slice(0, 2).join(" ")} failed:\n${stdout}${stderr}`));
    });
    child.stdin?.end(input);
  });
}
