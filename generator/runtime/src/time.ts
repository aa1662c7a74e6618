/** Timers that do not overflow, and listeners of signals. */

/** The longest time of `setTimeout` in milliseconds, 24 days. With a longer one, it calls back at once. */
export const longestMs: number = 2 ** 31 - 1;

/** The callbacks of a signal. Node reports a leak when a signal has more than ten listeners, so they share one. */
class Callbacks extends Set<() => void> {
  handleEvent(): void {
    for (const callback of this) callback();
  }
}

const callbacksOf = /* @__PURE__ */ new WeakMap<AbortSignal, Callbacks>();

/**
 * Calls `callback`, a new function, after `ms`, and when the signal aborts or if it has aborted. Times above `longestMs` are
 * no limit. Returns a function that stops both. Call it in the end, because it removes the listener.
 */
export function callAfter(
  ms: number,
  signal: AbortSignal | null | undefined,
  callback: () => void,
): () => void {
  const timer = ms <= longestMs ? setTimeout(callback, ms) : undefined;
  const callbacks = signal && (callbacksOf.get(signal) ?? new Callbacks());
  if (callbacks) {
    callbacksOf.set(signal, callbacks.add(callback));
    signal.addEventListener("abort", callbacks);
    if (signal.aborted) callback();
  }
  return () => {
    clearTimeout(timer);
    callbacks?.delete(callback);
    if (callbacks?.size === 0) signal?.removeEventListener("abort", callbacks);
  };
}

/** Calls `callback`, a new function, when the signal aborts or if it has aborted. Call the returned function in the end. */
export function onAbort(signal: AbortSignal | null | undefined, callback: () => void): () => void {
  return callAfter(Infinity, signal, callback);
}

/** Waits for `ms`, however long, or until the signal aborts. Never rejects: check the signal afterwards. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs -= longestMs) {
    let stop: (() => void) | undefined;
    await new Promise<void>((resolve) => {
      stop = callAfter(Math.min(leftMs, longestMs), signal, resolve);
    });
    stop?.();
  }
}

/** Callbacks of `inNextTurn` take at most about this long in a turn of the event loop: a small call needs several turns. */
const turnMs = 5;

/** When the callbacks of this turn began. Undefined if there was none in this turn. */
let turnStartedAt: number | undefined;

/**
 * Calls back after the event loop has handled what has arrived, or some turns later if many wait. `waitedFor` is the turn in which the
 * callback did not fit.
 */
export function inNextTurn(callback: () => void, waitedFor?: number): void {
  setImmediate(() => {
    // A turn that is not over in the next one never ends: some platforms stop the timers of a call that has ended.
    if (turnStartedAt === undefined || turnStartedAt === waitedFor) {
      turnStartedAt = performance.now();
      // Runs before all callbacks of the next turn.
      setImmediate(() => {
        turnStartedAt = undefined;
      });
    } else if (performance.now() - turnStartedAt > turnMs) return inNextTurn(callback, turnStartedAt);
    callback();
  });
}

/** Platforms without it have no quicker timer. */
function setImmediate(callback: () => void): void {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  setImmediate(callback);
}

/** @throws RangeError if an option is not a number from 0. Without types, it may be any value. */
export function checkOption(name: string, value: number): void {
  if (!(typeof value === "number" && value >= 0))
    throw new RangeError(`${name}: expected 0 or more, found ${value}`);
}

/** @throws RangeError if an option is not a positive number. */
export function checkPositive(name: string, value: number): void {
  if (!(typeof value === "number" && value > 0))
    throw new RangeError(`${name}: expected a positive number, found ${value}`);
}

/**
 * Returns the options that `defaults` names. Those that are undefined have their defaults. Errors name an option with the
 * prefix.
 *
 * @throws RangeError if an option is not a number from 0.
 */
export function numberOptions<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  given: Readonly<Partial<Record<NoInfer<Name>, number>>> | undefined,
  prefix = "",
): Record<Name, number> {
  const numbers: Record<Name, number> = { ...defaults };
  for (const name of Object.keys(defaults) as Name[]) {
    const value = given?.[name];
    if (value === undefined) continue;
    checkOption(`${prefix}${name}`, value);
    numbers[name] = value;
  }
  return numbers;
}

/* Timestamps as Dates. */

/** Whether a value is a Date that RFC 3339 can represent: valid, and in the years 0000 to 9999. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date && value.getTime() >= first && value.getTime() <= last;
}

/** 0000-01-01T00:00:00Z. */
const first = -62_167_219_200_000;
/** 9999-12-31T23:59:59.999Z. */
const last = 253_402_300_799_999;

/** Converts the text of a timestamp to a Date, truncated to milliseconds. */
export function dateOf(text: string): Date {
  return new Date(text.replace(/([.][0-9]{3})[0-9]+/, "$1"));
}

/* The header Retry-After (RFC 9110, section 10.2.3). */

/** `Sun, 06 Nov 1994 08:49:37 GMT`, and the older `Sunday, 06-Nov-94 08:49:37 GMT`. */
const httpDate = /^\w{3,9}, \d\d([ -])[A-Z][a-z]{2}\1(\d\d|\d{4}) \d\d:\d\d:\d\d GMT$/;

/** The format of C: `Sun Nov  6 08:49:37 1994`. */
const asctime = /^\w{3} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Returns the time of a header Retry-After in milliseconds, of any length: of seconds, also fractions, which some servers
 * send, or until a date, 0 if it has passed. Undefined for any other text.
 */
export function readRetryAfter(text: string, nowMs: number = Date.now()): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would read "-5" as a year.
  const date = httpDate.test(text) ? text.replace(/-/g, " ") : asctime.test(text) ? `${text} GMT` : "";
  const ms = Date.parse(date) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
