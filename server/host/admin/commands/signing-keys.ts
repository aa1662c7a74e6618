import { countSecretKeys, revokeSecretKeys } from "../../../base/credentials/signed-secret-keys.ts";
import { sealedWith, unknownKeyId } from "../../../base/sealer.ts";
import type { Queries } from "../../../base/storage/database.ts";
import { countByKey, forgetKey, resealAll } from "../../../webhooks/sealed-secrets.ts";
import { createSecretBox } from "../../../webhooks/secret.ts";
import {
  AdminFault,
  argument,
  type Command,
  confirm,
  confirmOption,
  counted,
  keysOfHosts,
  signingKeysOf,
  signingKeysOfHosts,
} from "../command.ts";

export const signingKeys: readonly Command[] = [
  {
    name: "signing-keys list",
    help: "list the signing keys by their ids, and what depends on each of them",
    positionals: [],
    details: `A key is no longer needed when nothing depends on it: no valid secret key of a service account, no secret of a
webhook listener, no kept response to a call with an idempotency key (kept for a day).`,
    run: async ({ config, database }) => {
      const keys = signingKeysOf(config);
      const queries = await database();
      const [secretKeys, listeners, responses] = await Promise.all([
        countSecretKeys(queries),
        countByKey(queries),
        countResponses(queries),
      ]);
      const known = keys.map(({ id }) => id);
      const others = [...secretKeys.keys(), ...listeners.keys(), ...responses.keys()];
      return {
        list: [...new Set([...known, ...others])].map((id) => ({
          id: id === unknownKeyId ? "unknown" : id,
          use:
            id === known[0]
              ? "signs"
              : known.includes(id)
                ? "verifies"
                : id === unknownKeyId
                  ? null
                  : "missing",
          algorithm: keys.find((key) => key.id === id)?.algorithm ?? null,
          secretKeys: secretKeys.get(id) ?? 0,
          webhookListeners: listeners.get(id) ?? 0,
          keptResponses: responses.get(id) ?? 0,
        })),
      };
    },
  },
  {
    name: "signing-keys reseal",
    help: "encrypt the secrets of webhook listeners with SIGNING_KEY that are encrypted with another signing key",
    positionals: [],
    details: "Receivers notice nothing: the secrets stay the same. Hosts may run meanwhile.",
    run: async ({ config, database }) => {
      const opened = await database();
      const keys = await signingKeysOfHosts(config, opened);
      const result = await resealAll(opened, createSecretBox(keys), keys[0].id);
      const { unreadable } = result;
      if (unreadable === 0) return { record: { key: keys[0].id, ...result } };
      const note =
        "Unreadable secrets need a key that is missing in SIGNING_KEY_FALLBACKS; see: platform signing-keys list";
      return { record: { key: keys[0].id, ...result }, note, isIncomplete: true };
    },
  },
  {
    name: "signing-keys forget",
    help: "give up the webhook secrets and secret keys that need a lost signing key, so that hosts start without it",
    positionals: ["ID"],
    options: confirmOption,
    details: `The listeners stay. Their notifications wait until the project calls RotateWebhookSecret, or you run platform webhooks
rotate, at most for the time after which waiting notifications fail. Secret keys are revoked: no host can verify them.`,
    run: async (context, input) => {
      const { config, database } = context;
      const id = argument(input, 0);
      if (!/^[0-9a-f]{16}$/.test(id))
        throw new AdminFault(`invalid id "${id.slice(0, 40)}"; see: platform signing-keys list`);
      if (signingKeysOf(config).some((key) => key.id === id))
        throw new AdminFault(
          `${id} is configured, so its secrets are not lost; run: platform signing-keys reseal`,
        );
      const queries = await database();
      if ((await keysOfHosts(queries)).includes(id))
        throw new AdminFault(`a running host has the signing key ${id}; see: platform replicas list`);
      const listeners = (await countByKey(queries)).get(id) ?? 0;
      const secretKeys = (await countSecretKeys(queries)).get(id) ?? 0;
      if (listeners + secretKeys === 0)
        throw new AdminFault(
          `no webhook listener and no secret key needs the signing key ${id}; see: platform signing-keys list`,
        );
      await confirm(context, input, {
        consequence: `the secrets of ${counted(listeners, "webhook listeners")} are lost, and ${counted(secretKeys, "secret keys")} revoked`,
        word: id,
      });
      return queries.transaction(async (tx) => ({
        record: {
          key: id,
          webhookListeners: await forgetKey(tx, id),
          secretKeys: await revokeSecretKeys(tx, id),
        },
      }));
    },
  },
];

async function countResponses(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.query<{ id: string; count: number }>(
    `select ${sealedWith("response")} as id, count(*)::int as count from kept_response group by 1 order by 1`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
