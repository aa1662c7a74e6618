import { protocolErrors } from "../../../runtime/src/protocol-error-table.ts";

/** Names that the file itself declares, for any schema and options. */
const own =
  "Fetch JsonDecode JsonEncode VersionFromHeader WebrpcError WebrpcErrorCodes WebrpcErrorParams WebrpcGenVersions WebrpcHeader " +
  "WebrpcBodyReader WebrpcHeaderValue WebrpcOptions WebrpcSchemaHash WebrpcSchemaVersion WebrpcServed WebrpcServedMethod WebrpcShape " +
  "WebrpcStreamController WebrpcStreamOptions WebrpcTypeShape WebrpcVersion abortCallbacks accepts callAll callMethod checkRequest createHttpRequest " +
  "decodeValue emptyOf errorOf errors hasOwn integerFault integerFaultIn integerRanges isObject jsonFault onAbort openStream parseBody partsOf readAnswer readCall readLines readValue " +
  "sendRequest serveMethod serveRequest shapes silenceMs textOf webrpcErrorByCode writeValue";

/** Globals that the file uses. */
const globals =
  "AbortController AbortSignal Array BigInt Date Error Headers HeadersInit Iterable JSON Number Object Promise ReadableStream RequestInfo " +
  "RequestInit Response ReturnType Set String TextDecoder globalThis Uint8Array WeakMap clearTimeout setTimeout";

/** Names that no class, interface or enum can have. */
const builtinTypes = "any bigint boolean never null number object string symbol undefined unknown void";

/** Names that no declaration of a schema can have. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...`${own} ${globals} ${builtinTypes}`.split(" "),
  ...protocolErrors.map(({ name }) => `${name}Error`),
]);

/** Names that the file declares in addition if the schema has routes. */
export const reservedRouteNames: readonly string[] =
  "WebrpcRoutedMethod WebrpcServedRoute callRoute createRouteRequest keyOfRoute parametersIn requestOfRoute serveRoute valueOfText Map ReadonlyMap decodeURIComponent encodeURIComponent".split(
    " ",
  );

/** Names that the file declares or uses in addition if the schema has files. */
export const reservedFileNames: readonly string[] =
  "Blob File FormData WebrpcFile callWithFiles fileNameIn fileResponse hasOwnFiles isFileShape putFiles readFile readForm takeFiles takesFiles decodeURIComponent encodeURIComponent".split(
    " ",
  );

/** Members of each client's class. */
export const reservedMembers: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "fetch",
  "hostname",
  "new",
  "path",
  "queryKey",
  "then",
  "toJSON",
  "url",
]);

/** Names that a method of an interface or an object cannot have. */
export const reservedServerMembers: ReadonlySet<string> = new Set(["__proto__", "new"]);
