import type { Database, Transaction } from "./database.ts";

/** Returns the database within an open transaction. Its transactions are savepoints. */
export function nestedIn(tx: Transaction): Pick<Database, "query" | "transaction"> {
  return {
    query: (statement, values) => tx.query(statement, values),
    async transaction(work) {
      await tx.query("savepoint nested");
      try {
        const result = await work(tx);
        await tx.query("release savepoint nested");
        return result;
      } catch (err) {
        // Fails if the connection broke. The open transaction then fails, too.
        await tx.query("rollback to savepoint nested").catch(() => {});
        throw err;
      }
    },
  };
}
