import { describe, expect, test } from "vitest";
import { InvalidResponse, type RangeLog } from "../../../../server/chain/follower/source.ts";
import { readLogs } from "../../../../server/chain/follower/viem/responses.ts";

const log = {
  address: `0x${"a".repeat(40)}`,
  topics: [`0x${"b".repeat(64)}`],
  data: "0x",
  transactionHash: `0x${"c".repeat(64)}`,
  transactionIndex: "0x0",
  logIndex: "0x0",
  blockNumber: "0x1",
  blockHash: `0x${"d".repeat(64)}`,
};

function readLog(fields: Partial<Record<keyof typeof log, unknown>>): RangeLog | undefined {
  return readLogs([{ ...log, ...fields }])[0];
}

describe("the logs of a response", () => {
  test.each([
    ["in order", ["1/0", "1/1", "2/0"]],
    ["with the first two swapped", ["1/1", "1/0", "2/0"]],
    ["with the last two swapped", ["1/0", "2/0", "1/1"]],
    ["backwards", ["2/0", "1/1", "1/0"]],
    ["with indexes that sort otherwise as texts", ["1/10", "1/2", "1/1"]],
  ])("%s are returned in chain order", (_, given) => {
    const read = readLogs(
      given.map((position) => {
        const [block, index] = position.split("/").map((part) => `0x${Number(part).toString(16)}`);
        return { ...log, blockNumber: block, logIndex: index };
      }),
    );
    const inOrder = given.map((position) => position.split("/").map(Number));
    inOrder.sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
    expect(read.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual(inOrder);
  });

  test("are in lower case, however the node writes hex", () => {
    const upper = (text: string): string => `0x${text.slice(2).toUpperCase()}`;
    const { address, topics, transactionHash, blockHash } = log;
    const read = readLog({
      address: upper(address),
      topics: topics.map(upper),
      data: "0xABCD",
      transactionHash: upper(transactionHash),
      blockHash: upper(blockHash),
      blockNumber: "0xFF",
    });
    expect(read).toMatchObject({
      address,
      topics,
      data: "0xabcd",
      transactionHash,
      blockHash,
      blockNumber: 255,
    });
  });

  test.each([
    ["0x0", 0],
    ["0x1ffffffffffffe", 2 ** 53 - 2],
    ["0x1fffffffffffff", 2 ** 53 - 1],
    ["0x20000000000000", undefined],
    ["0x", undefined],
    ["1", undefined],
    [1, undefined],
    [null, undefined],
  ])("may have the block number %j: %s", (blockNumber, number) => {
    if (number === undefined) expect(() => readLog({ blockNumber })).toThrow(InvalidResponse);
    else expect(readLog({ blockNumber })?.blockNumber).toBe(number);
  });

  test.each([
    [0, true],
    [4, true],
    [5, false],
  ])("may have %i topics: %s", (count, isValid) => {
    const topics = Array.from({ length: count }, () => log.topics[0]);
    if (isValid) expect(readLog({ topics })?.topics).toHaveLength(count);
    else expect(() => readLog({ topics })).toThrow(InvalidResponse);
  });

  test.each([39, 41])("cannot have an address of %i digits", (digits) => {
    expect(() => readLog({ address: `0x${"a".repeat(digits)}` })).toThrow(InvalidResponse);
  });
});
