import type { ApiDefinition, ServiceDefinition } from "./definition.ts";
import type { ErrorInfo } from "./errors.ts";
import type { Faults, RequestFaults, ResponseWriters } from "./validation.ts";

/* Kept versions of an API, as the generator prints them. */

/**
 * A version of an API that the server speaks in addition to the current one, as far as it differs from the next version:
 * how its calls are read, how its responses are written, and how both are converted.
 */
export interface KeptVersion {
  /** As its clients send it: `v1.0.0`. */
  readonly version: string;
  readonly webrpc: string;
  readonly basepath?: string;
  /** The methods that the next version lacks or describes otherwise. */
  readonly services?: readonly ServiceDefinition[];
  /** Paths of the methods that this version lacks. */
  readonly missing?: readonly string[];
  readonly errors?: readonly ErrorInfo[];
  /** Names of the errors that this version lacks. */
  readonly missingErrors?: readonly string[];
  readonly validators?: {
    readonly requests?: RequestFaults;
    readonly responses?: ResponseWriters;
    readonly errorData?: ResponseWriters;
  };
  readonly uploads?: ApiDefinition["uploads"];
  /**
   * Leads to the next version, by path. Methods without a step are called in the same way. Undefined: the next version has
   * the path, but cannot serve the method.
   */
  readonly steps?: Readonly<Record<string, VersionStep | undefined>>;
  /** From the data of an error in the next version to that in this one, by the name of the error in this one. */
  readonly errorData?: Readonly<Record<string, Conversion>>;
}

/** How a method of one version is called as a method of the next version. */
interface VersionStep {
  /** Path of the method in the next version, if it has another there. */
  readonly path?: string;
  /** Undefined if requests are the same in both versions. */
  readonly request?: Conversion;
  /** From the next version to this one. Undefined if responses are the same. */
  readonly response?: Conversion;
}

/** Converts values between two versions. */
export interface Conversion {
  /** Undefined if only rules differ. */
  convert?(value: unknown, custom: unknown): unknown;
  /** Finds faults in a converted value, at a depth, if not every value of one version is valid in the other. */
  check?(value: unknown, depth: number): Faults | undefined;
}

/** Converts a list, item by item. */
export function convertList(list: unknown, convert: (item: unknown) => unknown): unknown {
  return (list as readonly unknown[]).map(convert);
}

/** Converts a map, value by value. */
export function convertMap(map: unknown, convert: (value: unknown) => unknown): unknown {
  const entries = Object.entries(map as object);
  return Object.fromEntries(entries.map(([key, value]) => [key, convert(value)]));
}

/** Copies the fields of a value, without those of some names. Handlers may return an instance of a class, with getters. */
export function copyFields(value: unknown, dropped: readonly string[] = []): Record<string, unknown> {
  const copy = { ...(value as Record<string, unknown>) };
  for (let at = prototypeOf(value); at !== null && at !== Object.prototype; at = prototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at))
      if (!(name in copy) && !dropped.includes(name)) readInto(copy, value as Record<string, unknown>, name);
  for (const name of dropped) Reflect.deleteProperty(copy, name);
  return copy;
}

/** A getter that throws fails the call only if its field is in the contract, and is read again. */
function readInto(copy: Record<string, unknown>, value: Record<string, unknown>, name: string): void {
  try {
    copy[name] = value[name];
  } catch (err) {
    Object.defineProperty(copy, name, {
      get: () => {
        throw err;
      },
    });
  }
}

function prototypeOf(value: unknown): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Sets a field unless there is no value. */
export function setPresent(to: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined)
    Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
}
