import { expect, test } from "vitest";
import { checkServer } from "../../../../server/base/storage/open-storage.ts";

test.each([
  ["140012", "the database is Postgres 14; Postgres 15 or newer is required"],
  ["149999", "the database is Postgres 14; Postgres 15 or newer is required"],
  ["150000", undefined],
  ["150001", undefined],
  ["170002", undefined],
])("a server with version %s is reported as: %s", async (version, fault) => {
  const checked = checkServer({ query: async () => [{ version }] as never });
  if (fault === undefined) await checked;
  else await expect(checked).rejects.toThrow(fault);
});
