import { describe, expect, test } from "vitest";
import { contract, filters, transfer, url, useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { add, call } = shared;

describe("rejected requests", () => {
  test.each([
    ["Transfer(address indexed from, address to", /^\/filters\/events\/1: .* at its end$/],
    [
      "Transfer(addres from)",
      /^\/filters\/events\/1: "addres" is not a valid type of an event argument.*, at character 10/,
    ],
    [
      "Transfer(address indexed a, address indexed b, address indexed c, address indexed d)",
      /at most 3 indexed/,
    ],
    ["not an event", /^\/filters\/events\/1: expected "\("/],
    ["Ping(address) anonymous", /^\/filters\/events\/1: anonymous events cannot be matched/],
  ])("the event %s, with its location", async (text, cause) => {
    expect(await add({ filters: { ...filters, events: [transfer, text] } })).toMatchObject({
      error: "InvalidArgument",
      code: 2000,
      status: 400,
      cause: expect.stringMatching(cause),
    });
  });

  test.each(["contractAddresses", "events", "tokenIDs", "accounts", "topicHashes"])(
    "one value too many in %s, or an empty list where one is needed",
    async (kind) => {
      const value: Record<string, unknown> = {
        contractAddresses: contract,
        events: "Ping()",
        tokenIDs: 1,
        accounts: contract,
        topicHashes: `0x${"1".repeat(64)}`,
      };
      const tooMany = { ...filters, [kind]: Array(1_001).fill(value[kind]) };
      expect(await add({ filters: tooMany })).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
      const most = await add({ filters: { ...filters, [kind]: Array(1_000).fill(value[kind]) } });
      expect(most["status"]).toBe(true);
      if (kind === "events" || kind === "contractAddresses")
        expect(await add({ filters: { ...filters, [kind]: [] } })).toMatchObject({ code: -4 });
    },
  );

  test.each([
    ["http://10.0.0.1/", "10.0.0.1 is not a public address (private)"],
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254 is not a public address (link-local)"],
    ["http://[::ffff:10.0.0.1]/", "is not a public address (private)"],
    ["http://[::2]/", "::2 is not a public address"],
    ["http://0.0.0.0/", "0.0.0.0 is not a public address"],
    ["http://0xa000001/", "10.0.0.1 is not a public address (private)"],
    ["https://user:password@8.8.8.8/", "the URL must not contain a user or a password"],
    ["http://8.8.8.8:22/", "port 22 must not be called by this host"],
    ["http://%20/", "the URL is invalid"],
  ])("the URL %s", async (forbidden, cause) => {
    expect(await add({ url: forbidden })).toMatchObject({
      error: "InvalidArgument",
      cause: expect.stringContaining(cause),
    });
  });

  test.each(["http://127.0.0.0/", "http://127.255.255.255/", "http://[::1]:9999/", "http://localhost:9999/"])(
    "but not %s, for a sandbox calls receivers on its own machine",
    async (own) => {
      expect(await add({ url: own })).toMatchObject({ listener: { url: own } });
    },
  );

  test("a URL with another scheme, and a token id above 2^256 - 1", async () => {
    expect(await add({ url: "ftp://8.8.8.8/" })).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
    const tokenIDs = [String(2n ** 256n)];
    expect(await add({ filters: { ...filters, tokenIDs } })).toMatchObject({ error: "InvalidArgument" });
    const largest = [String(2n ** 256n - 1n)];
    expect(await add({ filters: { ...filters, tokenIDs: largest } })).toMatchObject({
      listener: { filters: { tokenIDs: largest } },
    });
  });

  /** An event declaration of this many characters, without blanks. */

  const eventOf = (length: number): string => `E(bool ${"a".repeat(length - 8)})`;

  test.each([
    ["a URL", 2_048, (length: number) => ({ url: `${url}/${"a".repeat(length - url.length - 1)}` })],
    ["a name", 128, (length: number) => ({ name: "a".repeat(length) })],
    [
      "an event",
      1_024,
      (length: number) => ({
        filters: { contractAddresses: [contract.toLowerCase()], events: [eventOf(length)] },
      }),
    ],
  ])("%s with one character more than %i", async (_, most, listenerWith) => {
    for (const length of [most - 1, most])
      expect(await add(listenerWith(length))).toMatchObject({ status: true, listener: listenerWith(length) });
    expect(await add(listenerWith(most + 1))).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
  });

  test("an event that is too long once its types are written in full", async () => {
    const eventWith = (types: number): string => `E(${Array(types).fill("uint").join(",")})`;
    // Each type then has eight characters, the last one seven.
    const [longest, tooLong] = [eventWith(127), eventWith(128)];
    const kept = await add({ filters: { ...filters, events: [longest] } });
    expect(kept["listener"].filters.events[0]).toHaveLength(1_018);
    expect(await add({ filters: { ...filters, events: [tooLong] } })).toMatchObject({
      error: "InvalidArgument",
      code: 2000,
      cause:
        "/filters/events/0: the event has 1026 characters with its types written in full; at most 1024 are allowed",
    });
  });

  test("other projects' listeners, unknown listeners, and keys without permission", async () => {
    const { listener } = await add();
    for (const method of ["GetWebhookListener", "ToggleWebhookListener", "RotateWebhookSecret"]) {
      expect(await call(method, { id: listener.id }, shared.other)).toMatchObject({
        error: "NotFound",
        code: 3000,
      });
      expect(await call(method, { id: 1 })).toMatchObject({ error: "NotFound", code: 3000 });
    }
    expect(
      await call(
        "RemoveWebhookListener",
        { id: listener.id, projectId: shared.host.projectId },
        shared.other,
      ),
    ).toMatchObject({
      error: "PermissionDenied",
      code: 1001,
    });
    expect(await call("GetAllWebhookListeners", {}, { accessKey: shared.host.accessKey })).toMatchObject({
      code: 1001,
    });
    const reader = { accessKey: shared.host.accessKey, secretKey: shared.readOnly };
    expect(await call("GetWebhookListener", { id: listener.id }, reader)).toEqual({ listener });
    expect(await call("ToggleWebhookListener", { id: listener.id }, reader)).toMatchObject({ code: 1001 });
  });

  test("a removal without a project applies to the key's project", async () => {
    const { listener } = await add();
    expect(await call("RemoveWebhookListener", { id: listener.id }, shared.other)).toMatchObject({
      code: 3000,
    });
    expect(await call("RemoveWebhookListener", { id: listener.id })).toEqual({ status: true });
    expect(await call("GetWebhookListener", { id: listener.id })).toMatchObject({ code: 3000 });
  });
});
