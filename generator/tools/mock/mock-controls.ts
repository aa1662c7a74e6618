import type { Plan } from "../../codegen/plan/plan.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";

/** Defaults for calls without `Mock-` headers. */
export interface MockSettings {
  readonly seed: number;
  readonly delayMs: number;
  /** Number of items in a stream. `itemDelayMs` is the delay before each item. */
  readonly items: number;
  readonly itemDelayMs: number;
}

/** Settings for one call, after its `Mock-` headers were applied. */
export interface MockControls extends MockSettings {
  readonly error: string | undefined;
}

type Header = (name: string) => string | undefined;

/** Maximum delay in milliseconds. Clients give up sooner. */
const delayMax = 60_000;

const itemsMax = 100_000;

/** Reads `Mock-Error: NotFound`, `Mock-Delay: 200ms`, `Mock-Seed: 5` and `Mock-Items: 10`. Returns a message if a header is invalid. */
export function readControls(header: Header, settings: MockSettings, plan: Plan): MockControls | string {
  const given = header("mock-error")?.trim();
  const delayText = header("mock-delay");
  const error =
    given === undefined ? undefined : plan.errors.find(({ name, code }) => [name, `${code}`].includes(given));
  if (given !== undefined && error === undefined) return unknownError(given, plan);
  const delayMs = delayText === undefined ? settings.delayMs : readDelay(delayText);
  if (delayMs === undefined)
    return `Mock-Delay is a time up to a minute, as 200ms or 1.5s, and "${delayText}" is none`;
  const seed = readWhole(header("mock-seed"), settings.seed, 999_999_999);
  if (seed === undefined) return "Mock-Seed is a whole number up to 999999999";
  const items = readWhole(header("mock-items"), settings.items, itemsMax);
  if (items === undefined) return `Mock-Items is a whole number up to ${itemsMax}`;
  const itemDelayMs = delayText === undefined ? settings.itemDelayMs : delayMs;
  return { seed, delayMs, items, itemDelayMs, error: error?.name };
}

/** Parses `200ms`, `1.5s` or `200` to milliseconds. Undefined if the text is invalid or above the maximum. */
export function readDelay(text: string): number | undefined {
  const [, number, unit] = /^([0-9]{1,6}(?:[.][0-9]{1,3})?) ?(ms|s)?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * (unit === "s" ? 1_000 : 1);
  return ms <= delayMax ? ms : undefined;
}

function readWhole(text: string | undefined, fallback: number, max: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,9}$/.test(text.trim()) && Number(text) <= max ? Number(text) : undefined;
}

function unknownError(given: string, { errors }: Plan): string {
  const names = errors.map(({ name }) => name);
  const near = suggest(given, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `Mock-Error names no error of the schema: "${given}"${meant} Known are ${names.join(", ")}`;
}
