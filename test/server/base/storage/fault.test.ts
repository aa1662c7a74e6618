import { expect, test } from "vitest";
import {
  DatabaseBusy,
  DatabaseFault,
  databaseProblemOf,
  describeStatement,
  isCancelled,
  isReadTimeout,
  reasonOf,
  statementOf,
  toDatabaseFault,
} from "../../../../server/base/storage/fault.ts";

const error = (code?: string, message = "reason"): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  ["no code", undefined, true],
  ["a code of Node", "ECONNREFUSED", true],
  ["a connection failure", "08006", true],
  ["too many connections", "53300", true],
  ["a shutdown", "57P01", true],
  ["an I/O error", "58030", true],
  ["a read-only transaction", "25006", true],
  ["another invalid transaction state", "25P02", false],
  ["a conflict", "40001", true],
  ["a deadlock", "40P01", true],
  ["a lock that was not acquired in time", "55P03", true],
  ["another prerequisite that is missing", "55006", false],
  ["another rollback", "40002", false],
  ["a unique violation", "23505", false],
  ["a syntax error", "42601", false],
  ["a missing database", "3D000", true],
  ["a missing schema", "3F000", false],
  ["a role that may not log in", "28000", true],
  ["a wrong password", "28P01", true],
  ["a missing permission", "42501", true],
  ["a full disk", "53100", true],
])("an error with %s (%s) means that the database is unavailable: %s", (_, code, isUnavailable) => {
  const thrown = error(code);
  const fault = toDatabaseFault(thrown);
  if (!isUnavailable) expect(fault).toBe(thrown);
  else {
    expect(fault).toBeInstanceOf(DatabaseFault);
    expect(fault).toMatchObject({ message: "reason", cause: thrown });
  }
});

test.each([
  ["55000", "FATAL", "the database refuses or ends connections", "reason"],
  ["55000", "ERROR", undefined, undefined],
  ["25P03", "FATAL", "the database refuses or ends connections", "reason"],
  ["57P01", "FATAL", undefined, "reason"],
  ["08P01", "FATAL", undefined, "reason"],
  ["28000", "FATAL", "the database rejects the login", "reason"],
  ["42501", "ERROR", "the database denies a permission", "reason"],
  ["53100", "ERROR", "the database's disk is full", undefined],
] as const)(
  "an error with the code %s and the severity %s is the problem: %s, with the reason: %s",
  (code, severity, problem, reason) => {
    const fault = toDatabaseFault(Object.assign(error(code), { severity })) as Error;
    expect(fault instanceof DatabaseFault).toBe(severity === "FATAL" || problem !== undefined);
    expect(databaseProblemOf(fault)?.text).toBe(problem);
    expect(reasonOf(fault)).toBe(reason);
  },
);

test.each([
  ["its name", { name: "ready", text: "select 1" }, "ready"],
  ["its text", { text: "select 1" }, "select 1"],
  ["its text in one line", { text: "\n  select 1\n  from a\n" }, "select 1 from a"],
  ["59 characters", { text: "x".repeat(59) }, "x".repeat(59)],
  ["60 characters", { text: "x".repeat(60) }, "x".repeat(60)],
  ["60 of 61 characters", { text: "x".repeat(61) }, `${"x".repeat(60)}…`],
])("a statement is described by %s", (_, statement, description) => {
  expect(describeStatement(statement)).toBe(description);
});

test.each([["08006"], ["23505"], ["42P01"], ["P0001"], [undefined]])(
  "the statement of an error with the code %s is known",
  (code) => {
    expect(statementOf(toDatabaseFault(error(code), "project-keys") as Error)).toBe("project-keys");
    expect(statementOf(toDatabaseFault(error(code)) as Error)).toBeUndefined();
  },
);

test.each([new TypeError("a"), new RangeError("a"), new ReferenceError("a"), new DatabaseBusy("a"), "text"])(
  "%s stays what it is",
  (thrown) => {
    expect(toDatabaseFault(thrown)).toBe(thrown);
  },
);

test.each([
  [toDatabaseFault(error("57014")), true, false],
  [toDatabaseFault(error("57P01")), false, false],
  [toDatabaseFault(error(undefined, "Query read timeout")), false, true],
  [error("57014"), false, false],
  [error(undefined, "Query read timeout"), false, false],
])("%s was cancelled: %s, and got no response in time: %s", (thrown, wasCancelled, wasLate) => {
  expect([isCancelled(thrown), isReadTimeout(thrown)]).toEqual([wasCancelled, wasLate]);
});
