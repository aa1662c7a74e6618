import ipaddr from "ipaddr.js";

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
