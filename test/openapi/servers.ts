/** Serves the schemas whose clients are generated. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { compile } from "../../generator/language/compile.ts";
import { schemaTexts } from "../../generator/tools/init/project.ts";
import { loadInMemory } from "../../generator/verify/in-memory/load.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { memoryReader } from "../support/memory-reader.ts";

/** The schema of a new project. */
export const helloSchema: string = schemaTexts.ridl;

/** A schema with every feature. */
export const everySchema: string = readFileSync(
  fileURLToPath(new URL("every.ridl", import.meta.url)),
  "utf8",
);

interface Context {
  readonly errors: Readonly<Record<string, () => Error>>;
}

type Values = Readonly<Record<string, unknown>>;

interface Upload {
  readonly size: number;
}

interface WithFiles {
  readonly picture: Upload;
  readonly details?: readonly Upload[];
  readonly pages?: readonly Upload[];
}

const echo = (_ctx: Context, request: Values): Values => request;
const failing = (number: unknown, request: Values, { errors }: Context): Values | Error | undefined => {
  if (Number(number) === 404) return errors["NotFound"]?.();
  return Number(number) === 410 ? errors["Gone"]?.() : request;
};
const sizes = ({ picture, details = [], pages = [] }: WithFiles): readonly number[] =>
  [picture, ...details, ...pages].map(({ size }) => size);

/** Most methods return their request. */
const everyHandlers = {
  Shop: {
    Echo: echo,
    Order: (ctx: Context, request: { readonly order: Values }) => failing(request.order["id"], request, ctx),
    Change: echo,
    Names: echo,
    Old: ({ errors }: Context) => errors["Busy"]?.(),
    Secure: echo,
    Never: () => ({}),
    Pay: echo,
    Repeat: () => ({}),
    Read: echo,
    List: () => ({ names: ["Tom"] }),
    Upload: (_ctx: Context, request: WithFiles & { readonly title: string }) => ({
      title: request.title,
      sizes: sizes(request),
    }),
    Submit: (_ctx: Context, request: WithFiles) => ({ sizes: sizes(request) }),
    Download: (_ctx: Context, { name }: { readonly name: string }) => new Blob([`bytes of ${name}`]),
    Watch: async function* (_ctx: Context, { after = 0n }: { readonly after?: bigint }) {
      for (const id of [1n, 2n]) yield { id: after + id };
    },
  },
  Items: {
    List: echo,
    Get: (ctx: Context, request: Values) => failing(request["id"], request, ctx),
    Put: (_ctx: Context, { order }: Values) => ({ order }),
    Add: echo,
    Patch: echo,
    Remove: () => ({}),
    Search: echo,
    ByName: echo,
  },
};

export const serveHello = (): Promise<RunningServer> =>
  serve(helloSchema, {
    Hello: { Greet: (_ctx: Context, { name }: Values) => ({ greeting: `Hello, ${String(name)}!` }) },
  });

export const serveEvery = (): Promise<RunningServer> => serve(everySchema, everyHandlers);

async function serve(schema: string, handlers: object): Promise<RunningServer> {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  const live = await loadInMemory({ ...result, int64: "bigint" });
  return await listen(createServer(live.nodeListener(live.createServer(handlers))));
}
