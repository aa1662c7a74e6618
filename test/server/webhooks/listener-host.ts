/** The set-up of the tests that call the methods of listeners. */
import { afterAll, beforeAll } from "vitest";
import { type Data, makeData, type RunningHost, startHost } from "../../support/host.ts";
import { makeKey, makeSecret } from "../../support/operator.ts";

export interface Keys {
  readonly accessKey: string;
  readonly secretKey?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: responses are read as JSON
export type Json = Record<string, any>;

export const contract: string = `0x${"aB".repeat(20)}`;
export const transfer = "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)";
export const filters: Readonly<Record<"contractAddresses" | "events", string[]>> = {
  contractAddresses: [contract],
  events: [transfer],
};
export const url = "http://127.0.0.1:9999/hook";

export interface ListenerHost {
  readonly data: Data;
  readonly host: RunningHost;
  /** The keys of another project than the host's. */
  readonly other: Required<Keys> & { readonly projectId: number };
  /** A secret key of the host's project that may only read. */
  readonly readOnly: string;
  /** Calls a method with the host's keys on the network 31337, unless others are given. */
  readonly call: (method: string, body: object, keys?: Keys, path?: string) => Promise<Json>;
  readonly add: (more?: object) => Promise<Json>;
}

/** A host for all tests of a file. Its networks have no chain: listeners do not call nodes. */
export function useListenerHost(): ListenerHost {
  let [data, host]: [Data?, RunningHost?] = [];
  let [other, readOnly]: [ListenerHost["other"]?, string?] = [];

  beforeAll(async () => {
    data = await makeData();
    host = await startHost({
      data,
      args: ["--networks", "31337,polygon,base", "--check-responses"],
      env: {
        NETWORK_DETAILS: JSON.stringify({ "31337": { follow: true }, polygon: { follow: true } }),
        RPC_URLS: "31337=http://127.0.0.1:1,polygon=http://127.0.0.1:1",
        RATE_LIMIT_PROJECT: "1000000",
        RATE_LIMIT_ADDRESS: "1000000",
      },
    });
    const key = await makeKey(data);
    const { secretKey } = await makeSecret(data, key.projectId);
    other = { ...key, secretKey };
    readOnly = (await makeSecret(data, host.projectId, "READ")).secretKey;
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await data?.[Symbol.asyncDispose]();
  });

  const call: ListenerHost["call"] = async (method, body, keys = present(host), path = "/31337") => {
    const response = await fetch(`${present(host).url}${path}/rpc/Indexer/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-access-key": keys.accessKey,
        ...(keys.secretKey === undefined ? {} : { authorization: `BEARER ${keys.secretKey}` }),
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Json;
  };

  return {
    get data() {
      return present(data);
    },
    get host() {
      return present(host);
    },
    get other() {
      return present(other);
    },
    get readOnly() {
      return present(readOnly);
    },
    call,
    add: (more = {}) => call("AddWebhookListener", { url, filters, ...more }),
  };
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the host is not started yet");
  return value;
}
