/** A client of gen-golang, made of the expanded IR, and our server. */
import { expect, test } from "vitest";
import { createServer } from "../fixtures/derived/generated/server.ts";
import { serveWith } from "../support/adapters.ts";
import { changeWithGo, isDerivedGoBuilt } from "../support/go-peer.ts";

const patches = [{}, { name: "Bo" }, { beds: 2, insured_by: "Helvetia" }, { address: { street: "Gasse 1" } }];

test.runIf(isDerivedGoBuilt).each(patches)("a patch of %j changes no other field", async (patch) => {
  let received: object = {};
  const unused = (): never => {
    throw new Error("unused");
  };
  const server = createServer({
    Clinic: {
      Register: unused,
      List: unused,
      Change: (_ctx, request) => {
        received = request.patch;
        return { patch: { ...request.patch, insured_by: request.patch.insured_by ?? null } };
      },
    },
  });
  await using running = await serveWith("node-http", server);
  const answer = await changeWithGo(running.url, patch);
  expect(received).toMatchObject(patch);
  expect(Object.keys(received)).toEqual(Object.keys(patch));
  expect(answer).toMatchObject(patch);
});
