import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateAccessKey, readAccessKey } from "../../../../server/base/credentials/access-key.ts";
import {
  type AccessKeyRow,
  type Attempt,
  authorize,
  type SecretKeyRow,
} from "../../../../server/base/credentials/credentials.ts";
import type { SecretKeyReading } from "../../../../server/base/credentials/secret-key.ts";

const keyPrefix = "AQAAAAAAAAAH";
const accessRow: AccessKeyRow = {
  projectId: 7,
  prefix: keyPrefix,
  isDisabled: false,
  isProjectDisabled: false,
  expiresAt: null,
  services: [],
  origins: [],
};
const secretRow: SecretKeyRow = {
  projectId: 7,
  account: "0xa",
  access: "WRITE",
  isRevoked: false,
  isAccountDisabled: false,
  expiresAt: null,
  origins: ["https://shop.example"],
};
const claims = { projectId: 7, account: "0xa", id: "1", expiresAt: undefined };

/** The clock stands still. */
const now = Date.parse("2027-01-31T00:00:00Z");
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.useRealTimers());

interface Given {
  readonly access?: Partial<AccessKeyRow> | "unknown";
  readonly secret?: Partial<SecretKeyRow> | "unknown";
  readonly reading?: SecretKeyReading;
  readonly attempt?: Partial<Attempt>;
}

/** Checks an attempt with both keys that changes a listener, except for what is given. */
function decide({ access = {}, secret = {}, reading = { claims }, attempt }: Given) {
  return authorize(
    {
      service: "Indexer",
      method: "AddWebhookListener",
      needsSecretKey: true,
      accessKey: generateAccessKey(7).key,
      authorization: "BEARER token",
      origin: undefined,
      isOwnOrigin: (origin) => origin === "https://own.example",
      ...attempt,
    },
    {
      readSecretKey: async () => reading,
      lookups: {
        accessKey: async () => (access === "unknown" ? undefined : { ...accessRow, ...access }),
        secretKey: async () => (secret === "unknown" ? undefined : { ...secretRow, ...secret }),
      },
    },
  );
}

async function verdictOf(given: Given) {
  const verdict = await decide(given);
  return verdict.rejection === undefined
    ? verdict.caller
    : `${verdict.rejection.kind}: ${verdict.rejection.cause}`;
}

const byAccount = (access: string): object => ({
  projectId: 7,
  keyPrefix,
  account: { address: "0xa", access },
});
const byKey = { projectId: 7, keyPrefix, account: undefined };

test.each<[Given, unknown]>([
  [{ access: "unknown" }, undefined],
  [{ attempt: { accessKey: undefined } }, undefined],
  [{ access: { isDisabled: true } }, byKey],
  [{ access: { isProjectDisabled: true } }, byKey],
  [{ access: { services: ["Metadata"] } }, byKey],
  [{ attempt: { authorization: undefined } }, byKey],
  [{ secret: "unknown" }, byKey],
  [{ secret: { projectId: 8 }, reading: { claims: { ...claims, projectId: 8 } } }, byKey],
  [{ secret: { isRevoked: true } }, byAccount("WRITE")],
  [{ secret: { access: "READ" } }, byAccount("READ")],
])("a rejected attempt with %j has the caller %j", async (given, caller) => {
  const verdict = await decide(given);
  expect(verdict.rejection).toBeDefined();
  expect(verdict.caller).toEqual(caller);
});

const unknownAccess = "Unauthorized: unknown access key: it is mistyped, or belongs to another host";
const unknownSecret = "Unauthorized: unknown secret key: it is mistyped, or belongs to another host";
const noForm = "Unauthorized: the header Authorization must have the form BEARER <secret key>";

test.each<[Given, unknown]>([
  [{}, byAccount("WRITE")],
  [
    { attempt: { accessKey: undefined } },
    "Unauthorized: the header X-Access-Key with the project's access key is missing",
  ],
  [
    { attempt: { accessKey: "" } },
    "Unauthorized: the header X-Access-Key with the project's access key is missing",
  ],
  [{ attempt: { accessKey: "abc" } }, unknownAccess],
  [{ access: "unknown" }, unknownAccess],
  [{ access: { isDisabled: true } }, "Unauthorized: the access key is disabled"],
  [{ access: { isProjectDisabled: true } }, "Unauthorized: the project is disabled"],
  [{ access: { expiresAt: now } }, "Unauthorized: the access key has expired"],
  [{ access: { expiresAt: now + 1 } }, byAccount("WRITE")],
  [{ access: { services: ["Metadata", "Indexer"] } }, byAccount("WRITE")],
  [
    { access: { services: ["Metadata"] } },
    "PermissionDenied: the access key is not valid for the service Indexer",
  ],
  [
    { access: { origins: ["https://own.example"] }, attempt: { origin: "https://own.example" } },
    byAccount("WRITE"),
  ],
  [
    { access: { origins: ["https://a.example"] }, attempt: { origin: "https://own.example" } },
    "PermissionDenied: the access key is restricted to other web pages",
  ],
  [
    { access: { origins: ["https://a.example"] } },
    "PermissionDenied: the access key is restricted to other web pages",
  ],
  [
    { attempt: { authorization: undefined } },
    "PermissionDenied: this method also needs a secret key: Authorization: BEARER <secret key>",
  ],
  [{ attempt: { authorization: undefined, needsSecretKey: false } }, byKey],
  [{ attempt: { authorization: "", needsSecretKey: false } }, noForm],
  [{ attempt: { authorization: "Basic token" } }, noForm],
  [{ attempt: { authorization: "Bearer" } }, noForm],
  [{ attempt: { authorization: "Bearer a b" } }, noForm],
  [{ attempt: { authorization: "bearer  token " } }, byAccount("WRITE")],
  [{ reading: { fault: "expired" } }, "SessionExpired: the secret key has expired"],
  [{ reading: { fault: "unreadable", why: "it is not a JWT" } }, unknownSecret],
  [{ secret: "unknown" }, "Unauthorized: the secret key was revoked"],
  [{ secret: { isRevoked: true } }, "Unauthorized: the secret key was revoked"],
  [{ secret: { isAccountDisabled: true } }, "Unauthorized: the service account is disabled"],
  [{ secret: { expiresAt: now } }, "SessionExpired: the secret key has expired"],
  [{ secret: { expiresAt: now + 1 } }, byAccount("WRITE")],
  [{ reading: { claims: { ...claims, account: "0xb" } } }, unknownSecret],
  [{ reading: { claims: { ...claims, projectId: 8 } } }, unknownSecret],
  [{ access: { projectId: 8 } }, "PermissionDenied: the two keys belong to different projects"],
  [{ attempt: { origin: "https://own.example" } }, byAccount("WRITE")],
  [{ attempt: { origin: "https://shop.example" } }, byAccount("WRITE")],
  [
    { attempt: { origin: "https://evil.example" } },
    "PermissionDenied: secret keys are not accepted from the page https://evil.example",
  ],
  [{ secret: { access: "READ" } }, "PermissionDenied: this account may only read"],
  [{ secret: { access: "READ" }, attempt: { method: "GetWebhookListener" } }, byAccount("READ")],
  [{ secret: { access: "READ" }, attempt: { needsSecretKey: false } }, byAccount("READ")],
])("%j yields %j", async (given, expected) => {
  expect(await verdictOf(given)).toEqual(expected);
});

describe("an access key", () => {
  test.each([1, 1_001, 2 ** 53 - 1])(
    "of project %i has 35 characters, of which the first 16 are stored",
    (projectId) => {
      const { key, hash, prefix } = generateAccessKey(projectId);
      expect(key).toHaveLength(35);
      expect(prefix).toBe(key.slice(0, 16));
      expect(Buffer.from(key, "base64url").readBigUInt64BE(1)).toBe(BigInt(projectId));
      expect(readAccessKey(key)).toEqual(hash);
    },
  );

  test.each([
    [`AQ${"a".repeat(33)}`, true],
    [`AQ${"a".repeat(32)}-`, true],
    [`AQ${"a".repeat(32)}`, false],
    [`AQ${"a".repeat(34)}`, false],
    [`AR${"a".repeat(33)}`, false],
    [`AQ${"a".repeat(32)}+`, false],
  ])("may have the form %s: %s", (key, may) => {
    expect(readAccessKey(key) !== undefined).toBe(may);
  });
});
