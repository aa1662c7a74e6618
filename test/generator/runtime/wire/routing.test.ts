/** Requests whose path or HTTP method no method of the schema has. */
import { expect, test } from "vitest";
import { rawRequest } from "../../../support/raw-http.ts";
import { describeWire, item, type Row } from "./wire.ts";

const rows: readonly Row[] = [
  { fact: "an unknown method", path: "/v2/rpc/Shop/Steal", code: -2, status: 404 },
  { fact: "an unknown service", path: "/v2/rpc/Bank/GetItem", code: -2, status: 404 },
  { fact: "names are matched in exact case", path: "/v2/rpc/shop/getitem", code: -2, status: 404 },
  { fact: "a slash at the end", path: `${item}/`, code: -2, status: 404 },
  { fact: "a name that every object has", path: "/v2/rpc/Shop/__proto__", code: -2, status: 404 },
  { fact: "letters of the path sent with percent signs", path: "/v2/rpc/%53hop/Ping", code: -2, status: 404 },
  {
    fact: "a slash of the path sent with a percent sign",
    path: "/v2/rpc/Shop%2FPing",
    code: -2,
    status: 404,
  },
  { fact: "a percent sign sent twice", path: "/v2/rpc/v1/Back%2520Office/toString", code: -2, status: 404 },
  { fact: "a broken percent sign", path: "/v2/rpc/Shop/%E0%A4%A", code: -2, status: 404 },
  {
    fact: "the path goes before the HTTP method",
    path: "/v2/rpc/Shop/Steal",
    method: "GET",
    code: -2,
    status: 404,
  },
  {
    fact: "GET",
    path: item,
    method: "GET",
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "PUT",
    path: item,
    method: "PUT",
    body: '{"id":1}',
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "OPTIONS: what CORS needs is the host's",
    path: item,
    method: "OPTIONS",
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
  {
    fact: "the HTTP method goes before the content type",
    path: item,
    method: "DELETE",
    headers: { "Content-Type": "" },
    code: -3,
    status: 405,
    cause: "methods must be called with POST",
  },
];

describeWire("not routed", rows, (server) => {
  test("a wrong HTTP method gets the right one in Allow", async () => {
    const { headers } = await rawRequest(server.port(), { path: item, method: "PATCH" });
    expect(headers["allow"]).toBe("POST");
  });

  test("HEAD is rejected without a body", async () => {
    const answer = await rawRequest(server.port(), { path: item, method: "HEAD" });
    expect(answer).toMatchObject({ status: 405, body: "" });
  });

  test("paths outside of the API are not handled", async () => {
    const { status } = await rawRequest(server.port(), { path: "/v2/other" });
    expect(status).toBe(404);
  });
});
