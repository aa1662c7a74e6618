/** The setting `follow` of a network: whether and how its blocks are followed. */
import { isObject } from "ridlkit-runtime/json";
import { checkKeys, isIntegerIn } from "./read-values.ts";

export interface FollowSettings {
  /** The first block to follow. `latest` starts after the newest block at the first start. */
  readonly start: number | "latest";
  /** Number of blocks below the head that may still leave the chain. They are stored so that they can be undone. */
  readonly window: number;
  /** Poll interval for the newest block where no node pushes it, in milliseconds. */
  readonly pollMs: number;
  /** WebSocket URLs of nodes that push new blocks. They may hold keys: never log one. */
  readonly wsUrls: readonly string[];
  /** Most blocks in one request for logs. */
  readonly rangeBlocks: number;
  /** Whether to check the logs of a block with its bloom filter, which is wrong on a few chains. */
  readonly checkBloom: boolean;
}

const defaults: FollowSettings = {
  start: "latest",
  // More than public chains need for finality: 65 blocks of Ethereum, 240 of Arbitrum.
  window: 256,
  pollMs: 1_000,
  wsUrls: [],
  // The limit of most providers.
  rangeBlocks: 10_000,
  checkBloom: true,
};

/** Reads `true`, or an object with any of the settings. */
export function readFollow(value: unknown, at: string, errors: string[]): FollowSettings | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return defaults;
  if (!isObject(value)) {
    errors.push(`${at}: expected true, false, or an object`);
    return undefined;
  }
  checkKeys(value, Object.keys(defaults), at, errors);
  const integer = (key: "window" | "pollMs" | "rangeBlocks", min: number, max: number): number => {
    const number = value[key] ?? defaults[key];
    return isIntegerIn(number, [min, max], `${at}.${key}`, errors) ? number : defaults[key];
  };
  const { start = defaults.start, wsUrls = defaults.wsUrls } = value;
  const checkBloom = value["checkBloom"] ?? defaults.checkBloom;
  if (typeof checkBloom !== "boolean") errors.push(`${at}.checkBloom: expected true or false`);
  const isStart = start === "latest" || (Number.isSafeInteger(start) && Number(start) >= 0);
  if (!isStart) errors.push(`${at}.start: expected a block number or "latest"`);
  return {
    start: isStart ? (start as number | "latest") : defaults.start,
    window: integer("window", 1, 10_000),
    pollMs: integer("pollMs", 10, 600_000),
    rangeBlocks: integer("rangeBlocks", 1, 1_000_000),
    wsUrls: readWsUrls(wsUrls, `${at}.wsUrls`, errors),
    checkBloom: checkBloom === true,
  };
}

/** The message never contains the URL, which may hold a key. */
function readWsUrls(value: unknown, at: string, errors: string[]): readonly string[] {
  const urls: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const isValid = (url: unknown): url is string =>
    typeof url === "string" && URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol);
  const valid = urls.filter(isValid);
  if (valid.length < urls.length)
    errors.push(`${at}: expected a list of URLs that begin with ws:// or wss://`);
  return valid;
}
