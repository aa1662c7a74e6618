import { expect, test } from "vitest";
import { DatabaseFault, databaseErrorText, toDatabaseFault } from "../../../../server/base/storage/fault.ts";

const error = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  [error("relation exists", "42P07"), "the database reports an error: relation exists (42P07)"],
  [
    error("permission denied for table project", "42501"),
    "the database denies a permission: permission denied for table project (42501); grant the permission to the role of DATABASE_URL, or connect as the owner of the tables",
  ],
  [
    toDatabaseFault(error("cannot execute INSERT in a read-only transaction", "25006")),
    "the database is read-only: cannot execute INSERT in a read-only transaction (25006); end its read-only mode, or connect to the primary server instead of a read-only replica",
  ],
  [
    toDatabaseFault(error("the database system is starting up", "57P03")),
    "the database reports an error: the database system is starting up (57P03)",
  ],
  [
    toDatabaseFault(error("connect ECONNREFUSED", "ECONNREFUSED")),
    "the database does not respond: connect ECONNREFUSED",
  ],
  [toDatabaseFault(error("write EPIPE", "EPIPE")), "the database does not respond: write EPIPE"],
  [new DatabaseFault("gone"), "the database does not respond: gone"],
  [
    error("in\n  https://u:pw@h.example/v1\0", "P0001"),
    "the database reports an error: in https://[redacted]@h.example/v1 (P0001)",
  ],
])("%s is described in one line", (err, text) => {
  expect(databaseErrorText(err)).toBe(text);
});

test.each([[error("no code")], [error("write", "EPIPE")], [new TypeError("a")], ["text"], [undefined]])(
  "%s is not an error of the database",
  (err) => {
    expect(databaseErrorText(err)).toBeUndefined();
  },
);
