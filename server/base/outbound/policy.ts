import { BlockList, isIP, isIPv6 } from "node:net";
import { readPorts } from "../config/port-range.ts";
import { specialRange } from "./special-ranges.ts";

export interface PolicyOptions {
  /** Special ranges that may be called: `127.0.0.0/8`, `::1`. */
  readonly allow: readonly string[];
  /** Public ranges that must not be called. Overrides `allow`. */
  readonly deny: readonly string[];
  readonly ports: readonly string[];
}

/** Checks targets of calls. Each function returns what is wrong, for the person who chose the target, or undefined. */
export interface Policy {
  faultOfAddress(address: string): string | undefined;
  /** Checks everything that needs no DNS lookup. */
  faultOfUrl(url: string): string | undefined;
}

export function createPolicy({ allow, deny, ports }: PolicyOptions): Policy {
  const allowed = blockList(allow);
  const denied = blockList(deny);
  const openPorts = ports.map(readPorts);

  function faultOfAddress(address: string): string | undefined {
    if (isIn(denied, address)) return `${address} must not be called by this host`;
    const special = specialRange(address);
    if (special === undefined || isIn(allowed, address)) return undefined;
    return `${address} is not a public address (${special})`;
  }

  function faultOfUrl(text: string): string | undefined {
    // The same parser as in the HTTP client, so that both read a URL the same way.
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) return "the URL is invalid";
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return "the URL must start with http: or https:";
    if (url.username !== "" || url.password !== "") return "the URL must not contain a user or a password";
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    if (!openPorts.some(([first, last]) => port >= first && port <= last))
      return `port ${port} must not be called by this host`;
    const literal = literalOf(url.hostname);
    return literal === undefined ? undefined : faultOfAddress(literal);
  }

  return { faultOfAddress, faultOfUrl };
}

/** Returns the IP address of a host that is written as one: `[::1]` → `::1`. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(bare) === 0 ? undefined : bare;
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
