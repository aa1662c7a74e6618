/** Earlier versions of an API, as the generator prints them. */
import type { ErrorInfo } from "./failure.ts";
import type { RoutedApi } from "./route.ts";
import type { Check } from "./validators.ts";

/** An earlier version of an API that the server still speaks. */
export interface KeptVersion {
  /** As its clients send it: `v1.0.0`. */
  readonly version: string;
  /** How its calls are read and its responses written. It shares the built-in errors of the current version. */
  readonly api: Omit<RoutedApi, "builtinErrors">;
  /** Leads to the next version, by path. The next version cannot serve methods without a step. */
  readonly steps: Readonly<Record<string, VersionStep>>;
}

/** How a method of one version is called as a method of the next version. */
export interface VersionStep {
  /** Path of the method in the next version. */
  readonly path: string;
  /** Undefined if requests are the same in both versions. */
  readonly request?: Conversion;
  /** From the next version to this one. Undefined if responses are the same. */
  readonly response?: Conversion;
}

/** Converts values between two versions. */
export interface Conversion {
  /** Undefined if only rules differ. */
  convert?(value: unknown, custom: unknown): unknown;
  /** Checks a converted value if not every value of one version is valid in the other. */
  check?(value: unknown): ReturnType<Check>;
}

/** The errors of the current version in an earlier one. */
export type OlderErrors = ReadonlyMap<ErrorInfo, ErrorInfo>;

/** Converts a list, item by item. */
export function convertList(list: unknown, convert: (item: unknown) => unknown): unknown {
  return (list as readonly unknown[]).map(convert);
}

/** Converts a map, value by value. */
export function convertMap(map: unknown, convert: (value: unknown) => unknown): unknown {
  const entries = Object.entries(map as object);
  return Object.fromEntries(entries.map(([key, value]) => [key, convert(value)]));
}

/** Sets a field unless there is no value. */
export function setPresent(to: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined)
    Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
}
