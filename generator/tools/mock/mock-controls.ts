import type { Plan } from "../../codegen/plan/plan.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";

/** How calls are answered where they do not say themselves. */
export interface MockSettings {
  readonly seed: number;
  readonly delayMs: number;
  /** Items of a stream, and the time before each. */
  readonly items: number;
  readonly itemDelayMs: number;
}

/** What a call asks for by its headers. */
export interface MockControls extends MockSettings {
  /** Name of an error. */
  readonly error: string | undefined;
}

type Header = (name: string) => string | undefined;

/** Longest delay, in milliseconds: past it clients have given up. */
const delayMax = 60_000;

const itemsMax = 100_000;

/** `Mock-Error: NotFound`, `Mock-Delay: 200ms`, `Mock-Seed: 5`, `Mock-Items: 10`; what is wrong with one of them is a text. */
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

/** `200ms`, `1.5s`, `200`: in milliseconds; undefined if it is no time. */
export function readDelay(text: string): number | undefined {
  const [, number, unit] = /^([0-9]{1,6}(?:[.][0-9]{1,3})?) ?(ms|s)?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * (unit === "s" ? 1_000 : 1);
  return ms <= delayMax ? ms : undefined;
}

function readWhole(text: string | undefined, usual: number, most: number): number | undefined {
  if (text === undefined) return usual;
  return /^[0-9]{1,9}$/.test(text.trim()) && Number(text) <= most ? Number(text) : undefined;
}

function unknownError(given: string, { errors }: Plan): string {
  const names = errors.map(({ name }) => name);
  const near = suggest(given, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `Mock-Error names no error of the schema: "${given}"${meant} Known are ${names.join(", ")}`;
}
