import { expect, test } from "vitest";
import { checkServer } from "../../../../server/base/storage/server-version.ts";

test.each([
  ["140012", "the database is a Postgres 14; 15 or newer is needed"],
  ["149999", "the database is a Postgres 14; 15 or newer is needed"],
  ["150000", undefined],
  ["150001", undefined],
  ["170002", undefined],
])("of a server of the version %s is said: %s", async (version, fault) => {
  const checked = checkServer({ query: async () => [{ version }] as never });
  if (fault === undefined) await checked;
  else await expect(checked).rejects.toThrow(fault);
});
