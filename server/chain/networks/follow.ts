/** The setting `follow` of a network: whether and how its blocks are read as they come. */
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";

export interface FollowSettings {
  /** The first block that matters; `latest`: what comes after the first start. */
  readonly start: number | "latest";
  /** Blocks below the head that may still leave the chain, and are kept for it. */
  readonly window: number;
  /** Between two questions for the newest block where no node tells it by itself, in milliseconds. */
  readonly pollMs: number;
  /** Nodes that tell of new blocks by themselves. They may hold keys: never log one. */
  readonly wsUrls: readonly string[];
  /** Most blocks in one question for logs. */
  readonly rangeBlocks: number;
  /** Whether the logs of a block are held against its bloom filter; a few chains do not fill it in. */
  readonly checkBloom: boolean;
}

const defaults: FollowSettings = {
  start: "latest",
  // Above what public chains call final: 65 blocks of Ethereum, 240 of Arbitrum.
  window: 256,
  pollMs: 1_000,
  wsUrls: [],
  // As many as most providers allow.
  rangeBlocks: 10_000,
  checkBloom: true,
};

/** `true`, or any of the settings. */
export function readFollow(value: unknown, at: string, errors: string[]): FollowSettings | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return defaults;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    errors.push(`${at}: expected true, false, or an object`);
    return undefined;
  }
  const given = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(given)) {
    if (key in defaults) continue;
    const near = suggest(key, Object.keys(defaults));
    errors.push(`${at}: unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
  const integer = (key: "window" | "pollMs" | "rangeBlocks", min: number, max: number): number => {
    const number = given[key] ?? defaults[key];
    if (Number.isInteger(number) && Number(number) >= min && Number(number) <= max) return Number(number);
    errors.push(`${at}.${key}: expected ${min} to ${max}`);
    return defaults[key];
  };
  const { start = defaults.start, wsUrls = defaults.wsUrls, checkBloom = defaults.checkBloom } = given;
  const isStart = start === "latest" || (Number.isSafeInteger(start) && Number(start) >= 0);
  if (!isStart) errors.push(`${at}.start: expected the number of a block, or "latest"`);
  if (typeof checkBloom !== "boolean") errors.push(`${at}.checkBloom: expected true or false`);
  return {
    start: isStart ? (start as number | "latest") : defaults.start,
    window: integer("window", 1, 10_000),
    pollMs: integer("pollMs", 10, 600_000),
    rangeBlocks: integer("rangeBlocks", 1, 1_000_000),
    wsUrls: readWsUrls(wsUrls, `${at}.wsUrls`, errors),
    checkBloom: checkBloom !== false,
  };
}

/** The address itself stays out of the message: it may hold a key. */
function readWsUrls(value: unknown, at: string, errors: string[]): readonly string[] {
  const urls: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const isFine = (url: unknown): url is string =>
    typeof url === "string" && URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol);
  const good = urls.filter(isFine);
  if (good.length < urls.length)
    errors.push(`${at}: expected a list of addresses that begin with ws:// or wss://`);
  return good;
}
