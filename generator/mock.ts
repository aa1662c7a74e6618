import { compile, errorsOf } from "./language/compile.ts";
import type { Diagnostic } from "./language/diagnostics/diagnostic.ts";
import type { CommandError } from "./tools/cli/command-error.ts";
import { findConfig } from "./tools/cli/config/config-file.ts";
import { chooseSchemas, forCode, type Schema } from "./tools/cli/config/schemas.ts";
import { fileReader } from "./tools/cli/files/reader.ts";
import { loadMock } from "./tools/cli/servers/load-mock.ts";
import { mockLimits } from "./tools/mock/mock-controls.ts";

/** Handlers of some methods. They create errors with `ctx.errors`. `Handlers` is the generated type. */
export type MockHandlers<Handlers> = { readonly [Service in keyof Handlers]?: Partial<Handlers[Service]> };

/** What the contexts of all handlers have. */
type ContextOf<Handlers> = {
  [Service in keyof Handlers]: {
    [Name in keyof Handlers[Service]]: Handlers[Service][Name] extends (
      ctx: infer Ctx extends { readonly context: unknown },
      req: never,
    ) => unknown
      ? (context: Ctx["context"]) => void
      : never;
  }[keyof Handlers[Service]];
}[keyof Handlers] extends (context: infer Context) => void
  ? Context
  : never;

/** Options of `mockFetch`. */
export interface MockFetchOptions<Handlers = Record<string, object>> {
  /** The folder of `ridlkit.config.*`, whose schema is served. Default: the working directory. */
  readonly cwd?: string;
  /** The name of the schema, if the configuration has several. */
  readonly project?: string;
  /** A schema file, from `cwd`, instead of one of the configuration. */
  readonly schema?: string;
  /** Replace the mock's own handlers. Their responses are checked, too. */
  readonly handlers?: MockHandlers<Handlers>;
  /** `ctx.context` of these handlers. */
  readonly context?: ContextOf<Handlers>;
  /** Receives bugs of these handlers: what they threw, or the path of an invalid value. Default: prints them with `console.error`. */
  readonly onError?: (cause: unknown, method: string) => void;
  /** Another seed gives other values: an integer from 0 to 999,999,999. Default: 1. */
  readonly seed?: number;
  /** Records of each kind at the start, from 0 to 1,000. Default: 3. */
  readonly records?: number;
  /** Items of a stream, from 0 to 100,000. Default: 5. */
  readonly items?: number;
  /** Time before each response and each item, in milliseconds, from 0 to 60,000. Default: 0. */
  readonly delayMs?: number;
  /** Share of calls that fail, from 0 to 1. Default: 0. */
  readonly errorRate?: number;
  /** Whether methods with `@auth` need a credential, which may have any value. Default: true. */
  readonly auth?: boolean;
}

const optionNames: Readonly<Record<keyof MockFetchOptions, true>> = {
  cwd: true,
  project: true,
  schema: true,
  handlers: true,
  context: true,
  onError: true,
  seed: true,
  records: true,
  items: true,
  delayMs: true,
  errorRate: true,
  auth: true,
};

/**
 * Serves a schema without its handlers, in memory: returns a function of the web's `Request` for vitest
 * (`memoryTransport`), MSW and Playwright. Responses are those of `ridlkit mock`, and the headers `Mock-Error`,
 * `Mock-Delay`, `Mock-Seed` and `Mock-Items` control them. Rejects with an Error if the schema or the configuration is
 * invalid, with a RangeError for a number out of range, and with a TypeError for an unknown option or a handler that the
 * schema does not have.
 */
export async function mockFetch<Handlers = Record<string, object>>(
  options: MockFetchOptions<Handlers> = {},
): Promise<(request: Request) => Promise<Response>> {
  const { cwd = process.cwd(), handlers = {}, context, delayMs = 0, auth = true } = options;
  const onError = options.onError ?? ((cause, method) => console.error(`${method}:`, cause));
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown !== undefined)
    throw new TypeError(
      `mockFetch: unknown name "${unknown}" (known: ${Object.keys(optionNames).join(", ")})`,
    );
  const reader = fileReader(cwd);
  const schema = await schemaOf(options, cwd);
  const compilation = compile(schema.path, reader, forCode(schema));
  const { result: compiled } = compilation;
  if (compiled === undefined) throw invalid(errorsOf(compilation));
  const settings = {
    seed: numberIn("seed", options.seed ?? 1),
    records: numberIn("records", options.records ?? 3),
    items: numberIn("items", options.items ?? 5),
    delayMs: numberIn("delayMs", delayMs),
    itemDelayMs: delayMs,
    errorRate: numberIn("errorRate", options.errorRate ?? 0),
    wantsCredentials: auth,
    handlers,
    context,
    onError,
    onCall: () => {},
  };
  const { mock } = await loadMock({ schema, compiled, reader, cwd }, settings);
  if (typeof mock === "string") throw new Error(mock);
  return mock.fetch;
}

function numberIn(name: keyof typeof mockLimits, value: number): number {
  const max = mockLimits[name];
  const isInteger = name !== "errorRate";
  if (value >= 0 && value <= max && (!isInteger || Number.isInteger(value))) return value;
  throw new RangeError(
    `${name} takes ${isInteger ? "an integer" : "a number"} from 0 to ${max}; found ${value}`,
  );
}

async function schemaOf({ schema, project }: MockFetchOptions<unknown>, cwd: string): Promise<Schema> {
  const found = await findConfig({ cwd, reader: fileReader(cwd), requestedPath: undefined });
  if (found.error !== undefined) throw refused(found.error);
  const chosen = chooseSchemas({
    command: "mock",
    files: schema === undefined ? [] : [schema],
    options: { project },
    environment: {},
    found: found.value,
    takesOneSchema: true,
  });
  if (chosen.error !== undefined) throw refused(chosen.error);
  return chosen.value[0] as Schema;
}

function refused(error: CommandError): Error {
  return error.kind === "usage" ? new Error(error.message) : invalid(error.diagnostics);
}

function invalid(diagnostics: readonly Diagnostic[]): Error {
  return new Error(diagnostics.map(({ code, path, message }) => `${path}: ${code}: ${message}`).join("\n"));
}
