import type { Context } from "koa";
import type { RpcFailure } from "ridlkit-runtime/handler";
import { describe, expect, test } from "vitest";
import { ArrivingBodies } from "../../../../server/host/http/arriving-bodies.ts";

/** As docs/platform/contract.md promises them, "Limits". */
const rateGraceSeconds = 5;
const bodyMinRate = 1_024;
const fileMinRate = 16_384;
const bodiesMaxBytes = 67_108_864;

interface Sender {
  readonly send: (bytes: number) => void;
  readonly end: () => void;
  readonly rejections: (string | RpcFailure)[];
  readonly keepsAlive: () => boolean;
}

function open(): {
  bodies: ArrivingBodies;
  reasons: string[];
  from: (address: string, hasFiles?: boolean) => Sender;
} {
  const reasons: string[] = [];
  const bodies = new ArrivingBodies({
    addressOf: (ctx) => ctx.state["address"] as string,
    onRejection: (reason) => reasons.push(reason),
  });
  const from = (address: string, hasFiles = false): Sender => {
    const res = { shouldKeepAlive: true };
    const rejections: (string | RpcFailure)[] = [];
    const watcher = bodies.watch({
      carrier: { state: { address }, res } as unknown as Context,
      hasFiles,
      refuse: (refusal) => {
        rejections.push(refusal);
        // As readers of bodies do.
        watcher.ended();
      },
    });
    return {
      send: (bytes) => watcher.arrived(bytes),
      end: () => watcher.ended(),
      rejections,
      keepsAlive: () => res.shouldKeepAlive,
    };
  };
  return { bodies, reasons, from };
}

describe("the minimum rate", () => {
  const rows = [
    { hasFiles: false, rate: bodyMinRate },
    { hasFiles: true, rate: fileMinRate },
  ];

  test.each(rows)(
    "a body below it is refused, at it and above it is not (files: $hasFiles)",
    ({ hasFiles, rate }) => {
      const { bodies, reasons, from } = open();
      const below = from("a", hasFiles);
      const at = from("a", hasFiles);
      const above = from("a", hasFiles);
      below.send(rateGraceSeconds * rate - 1);
      at.send(rateGraceSeconds * rate);
      above.send(rateGraceSeconds * rate + 1);
      for (let second = 0; second < rateGraceSeconds; second++) bodies.tick();
      expect(below.rejections).toEqual([]);
      bodies.tick();
      expect(below.rejections).toEqual([`the body arrived too slowly: send at least ${rate} bytes a second`]);
      expect(below.keepsAlive()).toBe(false);
      expect([...at.rejections, ...above.rejections]).toEqual([]);
      expect(at.keepsAlive()).toBe(true);
      expect(reasons).toEqual(["slow"]);
    },
  );

  test("is an average from the start, so that a long pause is rejected", () => {
    const { bodies, from } = open();
    const sender = from("a");
    sender.send(10 * bodyMinRate);
    for (let second = 0; second <= 10; second++) bodies.tick();
    expect(sender.rejections).toEqual([]);
    bodies.tick();
    expect(sender.rejections).toHaveLength(1);
  });

  test("does not apply to a body that has ended", () => {
    const { bodies, reasons, from } = open();
    from("a").end();
    for (let second = 0; second < 20; second++) bodies.tick();
    expect(reasons).toEqual([]);
  });
});

describe("the memory of all arriving bodies", () => {
  test("up to the limit nothing is rejected; a byte above it, the largest body of the caller who holds most is", () => {
    const { bodies, reasons, from } = open();
    const large = from("greedy");
    const small = from("greedy");
    const other = from("other");
    large.send(bodiesMaxBytes / 2);
    small.send(bodiesMaxBytes / 4);
    other.send(bodiesMaxBytes / 4 - 1);
    expect(reasons).toEqual([]);
    other.send(1);
    expect(bodies.bytes).toBe(bodiesMaxBytes);
    expect(reasons).toEqual([]);
    other.send(1);
    expect(large.rejections).toEqual([expect.objectContaining({ name: "Overloaded", code: 1901 })]);
    expect([...small.rejections, ...other.rejections]).toEqual([]);
    expect(bodies.bytes).toBe(bodiesMaxBytes / 2 + 1);
    expect(reasons).toEqual(["overloaded"]);
  });

  test("a caller who holds little is never rejected because of others", () => {
    const { from } = open();
    const greedy = Array.from({ length: 200 }, () => from("greedy"));
    const other = from("other");
    for (let turn = 0; turn < 16; turn++) {
      for (const sender of greedy) sender.send(64 * 1024);
      other.send(64 * 1024);
    }
    expect(other.rejections).toEqual([]);
    expect(greedy.some(({ rejections }) => rejections.length > 0)).toBe(true);
  });

  test("a caller who holds most and sends last is rejected itself", () => {
    const { from } = open();
    const other = from("other");
    other.send(1_000);
    const greedy = from("greedy");
    greedy.send(bodiesMaxBytes);
    expect(greedy.rejections).toHaveLength(1);
    expect(other.rejections).toEqual([]);
    // What still arrives of a refused body is read over and holds nothing.
    greedy.send(bodiesMaxBytes);
    expect(other.rejections).toEqual([]);
  });

  test("is released when bodies end, and files do not count", () => {
    const { bodies, reasons, from } = open();
    const first = from("a");
    first.send(bodiesMaxBytes);
    first.end();
    first.end();
    from("a", true).send(bodiesMaxBytes * 2);
    from("a").send(bodiesMaxBytes);
    expect(bodies.bytes).toBe(bodiesMaxBytes);
    expect(reasons).toEqual([]);
  });
});
