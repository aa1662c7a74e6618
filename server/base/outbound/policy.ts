import { BlockList, isIP, isIPv6 } from "node:net";
import { readPorts } from "../config/port-range.ts";
import { specialRange } from "./special-ranges.ts";

/** Which addresses may be called, as the operator says. */
export interface PolicyOptions {
  /** Ranges that may be called though they are special: `127.0.0.0/8`, `::1`. */
  readonly allow: readonly string[];
  /** Ranges that may not be called though they are public; these win. */
  readonly deny: readonly string[];
  /** `443`, `1024-65535`. */
  readonly ports: readonly string[];
}

/** Judges where a call may go. All answers are what is wrong, in words for whoever named the address; undefined: nothing is. */
export interface Policy {
  faultOfAddress(address: string): string | undefined;
  /** All that can be said of a URL without asking for its name. */
  faultOfUrl(url: string): string | undefined;
}

export function createPolicy({ allow, deny, ports }: PolicyOptions): Policy {
  const allowed = blockList(allow);
  const denied = blockList(deny);
  const openPorts = ports.map(readPorts);

  function faultOfAddress(address: string): string | undefined {
    if (isIn(denied, address)) return `${address} may not be called from here`;
    const special = specialRange(address);
    if (special === undefined || isIn(allowed, address)) return undefined;
    return `${address} is no public address (${special})`;
  }

  function faultOfUrl(text: string): string | undefined {
    // The one parser of URLs, here and in the client that dials: what one reads the other reads too.
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) return "this is no URL";
    if (url.protocol !== "http:" && url.protocol !== "https:") return "only http and https are called";
    if (url.username !== "" || url.password !== "") return "a URL with a user or a password is not called";
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    if (!openPorts.some(([first, last]) => port >= first && port <= last))
      return `port ${port} may not be called from here`;
    const literal = literalOf(url.hostname);
    return literal === undefined ? undefined : faultOfAddress(literal);
  }

  return { faultOfAddress, faultOfUrl };
}

/** The IP address that stands in a URL for a name, if one does: `[::1]` → `::1`. */
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
