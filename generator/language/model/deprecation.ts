import type { AnnotationModel } from "./model.ts";

export const deprecatedName = "deprecated";
export const sunsetName = "sunset";

/** When a method was deprecated, and when it stops working, as `2027-01-31`: the start of the day in UTC. */
export interface DeprecationDates {
  readonly deprecated?: string;
  readonly sunset?: string;
}

export interface DateFault {
  readonly annotation: typeof deprecatedName | typeof sunsetName;
  readonly reason: string;
}

/** Reads `@deprecated:"2026-11-26, use Find"` and `@sunset:"2027-01-31"`. A fault excludes its date. */
export function readDeprecation(annotations: readonly AnnotationModel[]): {
  readonly dates: DeprecationDates;
  readonly faults: readonly DateFault[];
} {
  const faults: DateFault[] = [];
  const textOf = (wanted: string): string | undefined => {
    const found = annotations.find(({ name }) => name === wanted);
    return found && (found.value ?? "").trim();
  };
  // A reason without a date is common, so only what looks like a date is checked.
  const start = dateLike.exec(textOf(deprecatedName) ?? "")?.[0];
  const deprecated = start !== undefined && isDate(start) ? start : undefined;
  if (start !== undefined && deprecated === undefined)
    faults.push({ annotation: deprecatedName, reason: `"${start}" is not a date` });
  const value = textOf(sunsetName);
  const reason = value === undefined ? undefined : sunsetFault(value, deprecated);
  if (reason !== undefined) faults.push({ annotation: sunsetName, reason });
  return {
    dates: {
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(value === undefined || reason !== undefined ? {} : { sunset: value }),
    },
    faults,
  };
}

function sunsetFault(value: string, deprecated: string | undefined): string | undefined {
  if (!isDate(value)) return value === "" ? "it has no date" : `"${value}" is not a date`;
  // RFC 9745, section 4.
  return deprecated !== undefined && value < deprecated ? "it is before the deprecation" : undefined;
}

const dateLike = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?![0-9])/;

/** Whether a text is a day of the calendar: `2027-02-29` is not. */
function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
