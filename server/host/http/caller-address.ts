import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, type Socket } from "node:net";
import { loopbackOnly, loopbackRejection } from "../../../generator/tools/dev/loopback.ts";

/** Whether an address is a trusted proxy, whose X-Forwarded-For is believed. */
export type TrustedProxies = (address: string) => boolean;

/** Accepts ranges such as `10.0.0.0/8` and `::1`. */
export function trustProxies(ranges: readonly string[]): TrustedProxies {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * Returns where a call comes from: the peer of the socket, or, behind a trusted proxy, the rightmost untrusted hop of
 * X-Forwarded-For. Callers can forge everything left of that hop.
 */
export function callerAddress(req: IncomingMessage, isTrusted: TrustedProxies): string {
  let address = peerAddress(req.socket);
  if (!isTrusted(address)) return address;
  const forwarded = req.headers["x-forwarded-for"];
  const hops = (typeof forwarded === "string" ? forwarded : "").split(",").map((hop) => plain(hop.trim()));
  while (isTrusted(address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

export function peerAddress({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  return plain(remoteAddress);
}

/** Reduces an IPv6 address to its /64 network: one caller can use any address in it. */
export function addressForLimits(address: string): string {
  if (!address.includes(":") || !isIPv6(address)) return address;
  const [head = "", tail] = address.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/**
 * Normalizes an address: IPv4-mapped IPv6 becomes IPv4, IPv6 becomes lower case, and a port (some proxies add it) is dropped.
 */
function plain(address: string): string {
  const [, bare = address] =
    /^\[([^\]]*)\](?::[0-9]+)?$/.exec(address) ?? /^([0-9.]+):[0-9]+$/.exec(address) ?? [];
  return bare.toLowerCase().replace(/^::ffff:(?=[0-9.]+$)/, "");
}

const localNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether an origin is this host, under a name that only its own machine uses, such as localhost. Any other name is rejected,
 * even if it resolves to this machine.
 */
export function isLocalOrigin(origin: string, port: number | undefined): boolean {
  return localNames.some((name) => origin === `http://${name}:${port}`);
}

/** Headers that proxies and tunnels add. */
const forwarding =
  /^(?:forwarded|via|x-forwarded.*|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|x-proxy.*|true-client-ip|cf-.*|cdn-loop|fly-.*|fastly-.*)$/;

/**
 * Whether a request comes from this machine and is meant for it. Rejects requests of foreign pages, of proxies that say so, and names that
 * were pointed at this machine (DNS rebinding).
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (Object.keys(headers).some((name) => forwarding.test(name))) return false;
  if (loopbackRejection(headers, loopbackOnly) !== undefined) return false;
  if (origin !== undefined && !isLocalOrigin(origin, socket.localPort)) return false;
  // Browsers send no Origin for resources that foreign pages only embed: images, scripts, links.
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return /^(?:127[.]|::1$|::ffff:127[.])/.test(socket.remoteAddress ?? "");
}
