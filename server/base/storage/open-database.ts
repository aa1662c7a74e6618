import type pg from "pg";
import { beginWithLockLimit, withCallTooLong } from "./call-time-limits.ts";
import { queryOn, transactionOn } from "./client-queries.ts";
import { ConnectionShares, hostHolder, type ShareHolder } from "./connection-shares.ts";
import type { Database, PoolOptions, Statement, Transaction } from "./database.ts";
import { PooledClients } from "./pooled-clients.ts";

/** Longest wait of a burst of calls for a connection, in milliseconds: people perceive 100 ms as immediate. */
const burstMs = 100;

/** Opens a connection pool that reconnects after an outage. */
export function openDatabase(connection: pg.ClientConfig, options: PoolOptions): Database {
  const { connections, statementTimeoutMs, readMaxMs = statementTimeoutMs, waitMaxMs } = options;
  const clients = new PooledClients(connection, options);
  const shares =
    waitMaxMs === undefined
      ? new ConnectionShares({ connections, burstMs, waitMaxMs: readMaxMs })
      : undefined;

  async function withShare<Result>(
    holders: readonly ShareHolder[],
    maxMs: number,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    if (shares === undefined) return clients.use(maxMs, work);
    await shares.acquire(holders);
    const startedAt = performance.now();
    try {
      return await clients.use(maxMs, work);
    } finally {
      shares.release(holders, performance.now() - startedAt);
    }
  }

  const sharedBy: Database["sharedBy"] = (holders) => ({
    isFull: () => shares?.isFull(holders) === true,
    query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
      withCallTooLong(
        withShare(holders, readMaxMs, (client) =>
          queryOn<Row>(client, options, statement, values, readMaxMs),
        ),
        `the read took longer than ${readMaxMs} ms; request less data, or try again`,
        options,
      ),
    transaction: (work, lockHolder) => {
      const all = lockHolder === undefined ? holders : [...holders, lockHolder];
      // Excludes the commit: without a response, its outcome is unknown.
      const limited = (tx: Transaction): ReturnType<typeof work> => work(withinLimits(tx));
      return withShare(all, statementTimeoutMs, (client) =>
        transactionOn(client, options, limited, beginWithLockLimit),
      );
    },
  });

  const withinLimits = (tx: Transaction): Transaction => ({
    ...tx,
    query: <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
      withCallTooLong(
        tx.query<Row>(statement, values),
        `the change took longer than ${statementTimeoutMs} ms and was not made`,
        options,
      ),
  });

  return {
    connection: clients.connection,
    query: (statement, values) =>
      withShare([hostHolder], statementTimeoutMs, (client) => queryOn(client, options, statement, values)),
    sharedBy,
    transaction: (work) =>
      withShare([hostHolder], statementTimeoutMs, (client) => transactionOn(client, options, work)),
    load: () => ({ ...clients.load, waiting: shares?.waiting ?? clients.load.waiting }),
    [Symbol.asyncDispose]: () => clients[Symbol.asyncDispose](),
  };
}
