import type { PlannedError } from "../../codegen/plan/plan.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";

/** Default settings of responses. Headers of a call override them. */
export interface MockSettings {
  readonly seed: number;
  readonly delayMs: number;
  /** Number of stream items. */
  readonly items: number;
  readonly itemDelayMs: number;
}

/** The settings of a single call. */
export interface MockControls extends MockSettings {
  /** The error to return. */
  readonly error: string | undefined;
}

type Header = (name: string) => string | undefined;

/** Longest delay. Clients time out earlier. */
const delayMax = { ms: 60_000, text: "one minute" } as const;

/** What `readDelay` reads, for messages. */
export const delayForm: string = `a time of at most ${delayMax.text}, such as 200ms or 1.5s`;

const itemsMax = 100_000;

/** Reads the headers Mock-Error, Mock-Delay, Mock-Seed and Mock-Items. Mock-Error names one of `errors`. Returns a message if a header is invalid. */
export function readControls(
  header: Header,
  settings: MockSettings,
  errors: readonly PlannedError[],
): MockControls | string {
  const given = header("mock-error")?.trim();
  const delayText = header("mock-delay");
  const error =
    given === undefined ? undefined : errors.find(({ name, code }) => [name, `${code}`].includes(given));
  if (given !== undefined && error === undefined) return unknownError(given, errors);
  const delayMs = delayText === undefined ? settings.delayMs : readDelay(delayText);
  if (delayMs === undefined) return `Mock-Delay takes ${delayForm}; found "${delayText}"`;
  const seed = readInteger(header("mock-seed"), settings.seed, 999_999_999);
  if (seed === undefined) return "Mock-Seed takes an integer from 0 to 999999999";
  const items = readInteger(header("mock-items"), settings.items, itemsMax);
  if (items === undefined) return `Mock-Items takes an integer from 0 to ${itemsMax}`;
  const itemDelayMs = delayText === undefined ? settings.itemDelayMs : delayMs;
  return { seed, delayMs, items, itemDelayMs, error: error?.name };
}

/** Parses `200ms`, `1.5s` or `200` to milliseconds. Undefined if the text is invalid. */
export function readDelay(text: string): number | undefined {
  const [, number, unit] = /^([0-9]{1,6}(?:[.][0-9]{1,3})?) ?(ms|s)?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * (unit === "s" ? 1_000 : 1);
  return ms <= delayMax.ms ? ms : undefined;
}

function readInteger(text: string | undefined, fallback: number, max: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,9}$/.test(text.trim()) && Number(text) <= max ? Number(text) : undefined;
}

function unknownError(given: string, errors: readonly PlannedError[]): string {
  const names = errors.map(({ name }) => name);
  const near = suggest(given, names);
  const hint = near === undefined ? "." : `; did you mean ${near}?`;
  return `Mock-Error names "${given}", which is not an error of the method${hint} Its errors: ${names.join(", ")}`;
}
