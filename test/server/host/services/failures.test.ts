import { RpcFailure } from "ridlkit-runtime/handler";
import { expect, test } from "vitest";
import { NotServed, RequestRejection } from "../../../../server/base/request-rejection.ts";
import {
  CallTooLong,
  DatabaseBusy,
  DatabaseFault,
  OutcomeUnknown,
  toDatabaseFault,
} from "../../../../server/base/storage/fault.ts";
import { ChainBusy, ChainFailure, ChainUnavailable, NoNodes } from "../../../../server/chain/rpc/chain.ts";
import { dependencyFailure } from "../../../../server/host/failures.ts";
import { failureResponse } from "../../../../server/host/http/failure-response.ts";

/** What a caller sees of a failure: its name, its cause and the header Retry-After. */
function seen(failure: RpcFailure | undefined): readonly unknown[] | undefined {
  if (failure === undefined) return undefined;
  const { body, headers } = failureResponse(failure);
  const { error, cause } = JSON.parse(String(body)) as { readonly error: string; readonly cause?: string };
  return [error, cause, headers?.["Retry-After"]];
}

/** What the server reports with this SQLSTATE. */
const reportedAs = (code: string) => toDatabaseFault(Object.assign(new Error("a secret"), { code })) as Error;

test.each<[Error, readonly unknown[] | undefined]>([
  [reportedAs("08006"), ["Overloaded", "the database does not respond", "1"]],
  [reportedAs("25006"), ["Overloaded", "the database is read-only", "1"]],
  [reportedAs("28000"), ["Overloaded", "the database rejects the login", "1"]],
  [reportedAs("28P01"), ["Overloaded", "the database rejects the login", "1"]],
  [reportedAs("3D000"), ["Overloaded", "the database does not exist", "1"]],
  [reportedAs("40P01"), ["Overloaded", "the database reports the error 40P01", "1"]],
  [reportedAs("42501"), ["Overloaded", "the database denies a permission", "1"]],
  [reportedAs("53100"), ["Overloaded", "the database's disk is full", "1"]],
  [reportedAs("53200"), ["Overloaded", "the database is out of memory", "1"]],
  [reportedAs("53300"), ["Overloaded", "the database has no free connection", "1"]],
  [reportedAs("57P03"), ["Overloaded", "the database does not respond", "1"]],
  [reportedAs("58030"), ["Overloaded", "the database cannot access its files", "1"]],
  [new DatabaseBusy("a secret"), ["Overloaded", undefined, "1"]],
  [new ChainBusy("a secret"), ["Overloaded", undefined, "1"]],
  [
    new CallTooLong("the read took longer than 1000 ms"),
    ["Overloaded", "the read took longer than 1000 ms", "10"],
  ],
  [new DatabaseFault("a secret"), ["Overloaded", "the database does not respond", "1"]],
  [
    new OutcomeUnknown("a secret"),
    ["Overloaded", "the database does not respond; the change may have been made", undefined],
  ],
  [new NoNodes("no node is configured here"), ["Unavailable", "no node is configured here", undefined]],
  [new ChainUnavailable("no node responds"), ["Overloaded", "no node responds", "1"]],
  [new ChainFailure("the router has other code"), ["QueryFailed", "the router has other code", undefined]],
  [
    new RequestRejection("/buyAmount: expected more than 0"),
    ["InvalidArgument", "/buyAmount: expected more than 0", undefined],
  ],
  [
    new NotServed("no exchange is configured here"),
    ["Unavailable", "no exchange is configured here", undefined],
  ],
  [new Error("a secret"), undefined],
])("%s of a handler is seen as %j", (thrown, expected) => {
  expect(seen(dependencyFailure(thrown))).toEqual(expected);
});

test("an object that only looks like a failure is none", () => {
  expect(dependencyFailure(new RpcFailure({} as never))).toBeUndefined();
});
