import { expect, test } from "vitest";
import {
  OutboundFailure,
  OutboundRejection,
  outboundFault,
} from "../../../../server/base/outbound/failure.ts";

test.each([
  ["timeout", { name: "AbortError" }],
  ["timeout", { name: "TimeoutError" }],
  ["timeout", { code: "ETIMEDOUT" }],
  ["timeout", { code: "UND_ERR_CONNECT_TIMEOUT" }],
  ["unresolved", { code: "ENOTFOUND" }],
  ["unresolved", { code: "ENODATA" }],
  ["unresolved", { code: "ESERVFAIL" }],
  ["unresolved", { code: "EAI_AGAIN" }],
  ["encryption", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }],
  ["encryption", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }],
  ["encryption", { code: "CERT_HAS_EXPIRED" }],
  ["encryption", { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }],
  ["encryption", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }],
  ["encryption", { code: "SELF_SIGNED_CERT_IN_CHAIN" }],
  ["encryption", { code: "EPROTO" }],
  ["malformed", { name: "HTTPParserError", code: "HPE_INVALID_CONSTANT" }],
  ["malformed", { code: "UND_ERR_HEADERS_OVERFLOW" }],
  ["connection", { code: "ECONNREFUSED" }],
  ["connection", { code: "ECONNRESET" }],
  ["connection", {}],
])("a failure of the kind %s is recognized by %j", (kind, properties) => {
  const cause = Object.assign(new Error("a@b.example"), properties);
  const fault = outboundFault(cause);
  expect(fault).toBeInstanceOf(OutboundFailure);
  expect(fault).toMatchObject({ kind, cause, message: expect.not.stringContaining("a@b") });
});

test("a rejection is found among the causes of an error", () => {
  const rejection = new OutboundRejection("10.0.0.1 is not a public address (private)");
  const error = new Error("fetch failed", { cause: new Error("connect", { cause: rejection }) });
  expect(outboundFault(error)).toBe(rejection);
});
