import { BlockList, isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { readPorts } from "../config/setting.ts";

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

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Special ranges that `ipaddr.js` reports as ordinary. Clouds offer services to their machines at public addresses. */
const extraRanges: readonly (readonly [name: string, kind: string, range: [Address, number]])[] = [
  ["a cloud's own service", "ipv4", ipaddr.parseCIDR("168.63.129.16/32")],
  ["IPv4-compatible", "ipv6", ipaddr.parseCIDR("::/96")],
];

/** All IPv6 addresses that are allocated to the public so far (RFC 4291, section 2.4). */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/** Returns the special range of an address: `loopback`, `private`; undefined: a public address. */
export function specialRange(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return "not an IP address";
  // Treats IPv4-mapped IPv6 as IPv4.
  const address = ipaddr.process(text);
  const range = address.range();
  if (range !== "unicast") return names[range] ?? range;
  const extra = extraRanges.find(([, kind, cidr]) => kind === address.kind() && address.match(cidr));
  if (extra !== undefined) return extra[0];
  return address.kind() === "ipv6" && !address.match(publicIpv6) ? "unallocated" : undefined;
}

const names: Readonly<Record<string, string>> = {
  unspecified: "unspecified",
  broadcast: "broadcast",
  multicast: "multicast",
  linkLocal: "link-local",
  loopback: "loopback",
  carrierGradeNat: "shared with a carrier",
  private: "private",
  reserved: "reserved",
  uniqueLocal: "private",
  ipv4Mapped: "IPv4-mapped",
  rfc6145: "IPv4-translated",
  rfc6052: "IPv4-translated",
  "6to4": "6to4",
  teredo: "Teredo",
};
