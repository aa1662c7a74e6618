import { isDeepStrictEqual } from "node:util";
import { type Handlers, rpcError, type SchemaErrorName } from "../fixtures/interop/generated/server.ts";
import type { Complex, Simple, User } from "../fixtures/interop/generated/types.ts";

const one: Simple = { id: 1, name: "one" };
const two: Simple = { id: 2, name: "two" };
const three: Simple = { id: 3, name: "three" };
const user: User = { id: 1, USERNAME: "John-Doe", role: "admin" };
const complex: Complex = {
  meta: { "1": "23", "2": 24 },
  metaNestedExample: { "1": { "2": 1 } },
  namesList: ["John", "Alice", "Jakob"],
  numsList: [1, 2, 3, 4534643543],
  doubleArray: [["testing"], ["api"]],
  listOfMaps: [{ john: 1, alice: 2, Jakob: 251 }],
  listOfUsers: [user],
  mapOfUsers: { admin: user },
  user,
  status: "AVAILABLE",
};

/** What webrpc's suite wants to hear beside the errors themselves. */
const causes: Readonly<Record<number, string>> = {
  1: "failed to verify JWT token",
  100: "1000 req/min exceeded",
  302: ".wav is not supported",
};

const nameByCode: Readonly<Record<number, SchemaErrorName>> = {
  1: "Unauthorized",
  2: "ExpiredToken",
  3: "InvalidToken",
  4: "Deactivated",
  5: "ConfirmAccount",
  6: "AccessDenied",
  7: "MissingArgument",
  8: "UnexpectedValue",
  100: "RateLimited",
  101: "DatabaseDown",
  102: "ElasticDown",
  103: "NotImplemented",
  200: "UserNotFound",
  201: "UserBusy",
  202: "InvalidUsername",
  300: "FileTooBig",
  301: "FileInfected",
  302: "FileType",
};

/** A server that webrpc's interop suite (`webrpc-test -client`) finds nothing wrong with. */
export const interopHandlers: Handlers = {
  TestApi: {
    GetEmpty: () => {},
    GetError: () => rpcError.protocolError(0, { cause: "internal error", expose: true }),
    GetOne: () => ({ one }),
    SendOne: (_ctx, sent) => unexpected(sent, { one }),
    GetMulti: async () => ({ one, two, three }),
    SendMulti: async (_ctx, sent) => unexpected(sent, { one, two, three }),
    GetComplex: () => ({ complex }),
    SendComplex: (_ctx, sent) => unexpected(sent, { complex }),
    GetEnumList: () => ({ list: ["AVAILABLE", "NOT_AVAILABLE"] }),
    GetEnumMap: () => ({ map: { READ: 1, WRITE: 2 } }),
    GetSchemaError: (_ctx, { code }) => {
      if (code === 0)
        return rpcError.protocolError(0, { cause: "failed to read file: unexpected EOF", expose: true });
      const name = nameByCode[code];
      const cause = causes[code];
      if (name === undefined) return {};
      return rpcError[name](cause === undefined ? {} : { cause, expose: true });
    },
  },
};

function unexpected(sent: object, wanted: object) {
  return isDeepStrictEqual(sent, wanted) ? undefined : rpcError.UnexpectedValue();
}
