import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Connections } from "../../../../server/host/http/connections.ts";
import { EarlyRejections } from "../../../../server/host/http/early-rejections.ts";
import { createServer } from "../../../fixtures/wire/generated/server.ts";
import { watched, wireHandlers } from "../../../support/feed.ts";

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "slow"],
  ["HPE_HEADER_OVERFLOW", "malformed"],
  ["HPE_INVALID_METHOD", "malformed"],
])("a request that Node ends with %s is counted as %s", (code, reason) => {
  const http = new EventEmitter() as Server;
  const counted: string[] = [];
  const rpc = createServer(wireHandlers(watched()));
  new EarlyRejections(rpc as never, new Connections(), (counting) => counted.push(counting)).listen(http);
  const socket = new PassThrough();
  http.emit("clientError", Object.assign(new Error("refused"), { code }), socket);
  expect(counted).toEqual([reason]);
  socket.destroy();
});
