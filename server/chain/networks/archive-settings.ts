/** The setting `archive` of a followed network: whether logs are kept, so that records can be derived again without the nodes. */
export interface ArchiveSettings {
  /** `matching`: logs that are read for records anyway. `all`: every log of every block. */
  readonly logs: "matching" | "all";
  /** Size at which the oldest blocks are dropped, in millions of bytes, compressed. */
  readonly maxMegabytes: number;
}

const defaults: ArchiveSettings = { logs: "matching", maxMegabytes: 10_000 };

const maxMegabytes = 10_000_000;

/** Reads `true`, or an object with any of the settings. */
export function readArchive(value: unknown, at: string, errors: string[]): ArchiveSettings | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return defaults;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    errors.push(`${at}: expected true, false, or an object`);
    return undefined;
  }
  const given: Readonly<Record<string, unknown>> = { ...defaults, ...value };
  for (const key of Object.keys(value))
    if (!(key in defaults)) errors.push(`${at}: unknown key "${key}"; expected "logs" or "maxMegabytes"`);
  const { logs, maxMegabytes: size } = given;
  if (logs !== "matching" && logs !== "all") errors.push(`${at}.logs: expected "matching" or "all"`);
  const isSize = Number.isInteger(size) && Number(size) >= 1 && Number(size) <= maxMegabytes;
  if (!isSize) errors.push(`${at}.maxMegabytes: expected an integer from 1 to ${maxMegabytes}`);
  return {
    logs: logs === "all" ? "all" : "matching",
    maxMegabytes: isSize ? Number(size) : defaults.maxMegabytes,
  };
}
