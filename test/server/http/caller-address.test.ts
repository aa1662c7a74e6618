import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { callerAddress, trustProxies } from "../../../server/http/caller-address.ts";

test.each([
  ["1.2.3.4:5678", "1.2.3.4"],
  ["[2001:DB8::1]:5678", "2001:db8::1"],
  ["2001:DB8::A", "2001:db8::a"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["1.2.3.4:5678, nonsense", "10.0.0.1"],
])("forwarded for %s is a call from %s", (forwarded, caller) => {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "10.0.0.1" });
  const req = new IncomingMessage(socket);
  req.headers["x-forwarded-for"] = forwarded;
  expect(callerAddress(req, trustProxies(["10.0.0.0/8"]))).toBe(caller);
});
