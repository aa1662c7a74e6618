import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import {
  addressForLimits,
  callerAddress,
  trustProxies,
} from "../../../../server/host/http/caller-address.ts";

test.each([
  ["1.2.3.4:5678", "1.2.3.4"],
  ["[2001:DB8::1]:5678", "2001:db8::1"],
  ["2001:DB8::A", "2001:db8::a"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["1.2.3.4:5678, nonsense", "10.0.0.1"],
  ["9.9.9.9, 1.2.3.4", "1.2.3.4"],
  ["9.9.9.9, 1.2.3.4, 10.0.0.2,10.0.0.3", "1.2.3.4"],
  ["10.0.0.2", "10.0.0.2"],
  ["", "10.0.0.1"],
  ["64::ffff:1.2.3.4", "64::ffff:1.2.3.4"],
])("forwarded for %s is a call from %s", (forwarded, caller) => {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "10.0.0.1" });
  const req = new IncomingMessage(socket);
  req.headers["x-forwarded-for"] = forwarded;
  expect(callerAddress(req, trustProxies(["10.0.0.0/8"]))).toBe(caller);
});

test.each([
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2"],
  ["2001:db8:1:3::", "2001:db8:1:3"],
  ["2001:db8:1::1", "2001:db8:1:0"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2"],
  ["2001::1:2:3:4:5:6", "2001:0:1:2"],
  ["::1:2:3:4:5:6:7", "0:1:2:3"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4"],
  ["1:2::", "1:2:0:0"],
  ["::1", "0:0:0:0"],
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.2", "192.0.2.2"],
])("the limits of %s are counted for %s: 64 bits of IPv6, or all of IPv4", (address, counted) => {
  expect(addressForLimits(address)).toBe(counted);
});

test("a caller who is no trusted proxy cannot choose its address", () => {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "::ffff:11.0.0.1" });
  const req = new IncomingMessage(socket);
  req.headers["x-forwarded-for"] = "1.2.3.4";
  expect(callerAddress(req, trustProxies(["10.0.0.0/8"]))).toBe("11.0.0.1");
  expect(callerAddress(req, trustProxies([]))).toBe("11.0.0.1");
});

test.each([
  ["10.0.0.0", true],
  ["10.255.255.255", true],
  ["9.255.255.255", false],
  ["11.0.0.0", false],
  ["192.0.2.1", true],
  ["192.0.2.2", false],
  ["fd00::1", true],
  ["fd01::1", false],
  ["::1", true],
  ["::2", false],
  ["", false],
])("whether %s is a trusted proxy, of 10.0.0.0/8, 192.0.2.1, fd00::/16 and ::1: %s", (address, isTrusted) => {
  expect(trustProxies(["10.0.0.0/8", "192.0.2.1", "fd00::/16", "::1"])(address)).toBe(isTrusted);
});
