/**
 * Many clients change listeners through a proxy that loses calls, while the host is killed. Each change must be made exactly once,
 * and its caller must get its response.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Indexer, RpcError, retries } from "../../generated/client.ts";
import type { AddWebhookListenerRequest } from "../../generated/types.ts";
import { databaseOf } from "../support/database.ts";
import { type Data, type HostOptions, type RunningHost, startHost } from "../support/host.ts";
import { type Loss, randomLoss, startLossyProxy } from "../support/lossy-proxy.ts";
import { makeKey, makeSecret } from "../support/operator.ts";
import type { Random } from "../support/random.ts";

export interface WritesOptions {
  /** Each listener is added, toggled and given a new secret: three writes. */
  readonly listeners: number;
  readonly clients: number;
  readonly kills: number;
  readonly random: Random;
}

export interface WritesReport {
  readonly writes: number;
  readonly sent: number;
  readonly lost: Readonly<Record<Loss, number>>;
  readonly kills: number;
  /** Calls that callers repeated themselves, because all retries had failed. */
  readonly repeated: number;
  /** Writes by the number of times that they were made. */
  readonly once: number;
  readonly never: number;
  readonly severalTimes: number;
  /** Responses that do not match what was stored. */
  readonly wrong: readonly string[];
  readonly ms: number;
}

const writesPerListener = 3;
const listenersPerProject = 900;

/** A network that is followed, with a node that does not exist: listeners need no more. */
export const hostOptions: Pick<HostOptions, "args" | "env"> = {
  args: ["--networks", "31337"],
  env: {
    NETWORK_DETAILS: JSON.stringify({ "31337": { follow: true } }),
    RPC_URLS: "31337=http://127.0.0.1:1",
    RATE_LIMIT_PROJECT: "1000000",
    RATE_LIMIT_ADDRESS: "1000000",
  },
};

export const listenerRequest: AddWebhookListenerRequest = {
  url: "http://127.0.0.1:9999/hook",
  filters: {
    contractAddresses: [`0x${"ab".repeat(20)}`],
    events: ["Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"],
  },
};

/** Notes each committed change of a listener. */
export const noteChangesSql = `
create table write_made (name text not null, kind text not null);
create function note_write() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into write_made values (new.name, 'add');
  elsif new.pause_reason is distinct from old.pause_reason then insert into write_made values (new.name, 'toggle');
  elsif new.secret is distinct from old.secret then insert into write_made values (new.name, 'rotate');
  end if;
  return null;
end
$$;
create trigger note_write after insert or update on webhook_listener for each row execute function note_write();`;

export async function lossyWrites(data: Data, options: WritesOptions): Promise<WritesReport> {
  const { listeners, clients, kills, random } = options;
  let host = await startHost({ data, ...hostOptions });
  try {
    return await run();
  } finally {
    await host[Symbol.asyncDispose]();
  }

  async function run(): Promise<WritesReport> {
    await using database = databaseOf(data);
    await database.query(noteChangesSql);
    let sent = 0;
    const loss = randomLoss(random, 40, 2);
    await using proxy = await startLossyProxy({
      target: () => host.url,
      loss: (req) => {
        sent++;
        return loss(req);
      },
    });
    const projects = await makeProjects(data, host, Math.max(2, Math.ceil(listeners / listenersPerProject)));
    let repeated = 0;
    let done = 0;
    const wrong: string[] = [];

    /**
     * Repeats a call with its key until there is a response, as a caller does who has to know. Without a key of its own, a caller
     * could not: even if the last attempt was rejected, an earlier one may have made the change.
     */
    async function certainly<Answer>(
      call: (options: { readonly idempotencyKey: string }) => Promise<Answer>,
      idempotencyKey: string,
    ): Promise<Answer> {
      for (;;) {
        try {
          return await call({ idempotencyKey });
        } catch (err) {
          if (!(err instanceof RpcError)) throw err;
          if (!err.retryable) throw err;
          repeated++;
          await sleep(100);
        }
      }
    }

    async function writeListener(number: number): Promise<void> {
      // The same keys are used in each project.
      const { client, name } = projects[number % projects.length] as Project;
      const key = `${Math.floor(number / projects.length)}`;
      const indexer = new Indexer({ ...client, url: `${proxy.url}/31337` });
      const request = { ...listenerRequest, name: `${name} ${key}` };
      const { listener, secret } = await certainly(
        (options) => indexer.addWebhookListener(request, options),
        `add ${key}`,
      );
      done++;
      const { id } = listener;
      const { webhookListener } = await certainly(
        (options) => indexer.toggleWebhookListener({ id }, options),
        `toggle ${key}`,
      );
      done++;
      const rotated = await certainly(
        (options) => indexer.rotateWebhookSecret({ id }, options),
        `rotate ${key}`,
      );
      done++;
      if (listener.name !== request.name) wrong.push(`${request.name} got ${listener.name}`);
      if (webhookListener.id !== id || webhookListener.active) wrong.push(`${request.name} is not paused`);
      if (rotated.secret === secret) wrong.push(`${request.name} has no new secret`);
    }

    const startedAt = performance.now();
    let next = 0;
    const working = Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < listeners) await writeListener(next++);
      }),
    );
    const writes = listeners * writesPerListener;
    for (let kill = 1; kill <= kills; kill++) {
      while (done < (writes * kill) / (kills + 1)) await Promise.race([working, sleep(5)]);
      host.process.kill("SIGKILL");
      await host.stop();
      host = await startHost({ data, ...hostOptions });
    }
    await working;
    const ms = performance.now() - startedAt;
    const counts = await database.query<{ count: number }>(
      "select count(*)::int as count from write_made group by name, kind",
    );
    const once = counts.filter(({ count }) => count === 1).length;
    return {
      writes,
      sent,
      lost: proxy.lost,
      kills,
      repeated,
      once,
      never: writes - counts.length,
      severalTimes: counts.length - once,
      wrong,
      ms: Math.round(ms),
    };
  }
}

interface Project {
  readonly name: string;
  readonly client: Omit<ConstructorParameters<typeof Indexer>[0] & object, "url">;
}

async function makeProjects(data: Data, host: RunningHost, count: number): Promise<readonly Project[]> {
  const projects: Project[] = [];
  for (let number = 0; number < count; number++) {
    const { projectId, accessKey } = number === 0 ? host : await makeKey(data);
    const { secretKey } = number === 0 ? host : await makeSecret(data, projectId);
    const headers = { "X-Access-Key": accessKey, Authorization: `BEARER ${secretKey}` };
    projects.push({
      name: `project ${number}`,
      client: { headers: () => headers, interceptor: retries(8), timeoutMs: 120_000 },
    });
  }
  return projects;
}
