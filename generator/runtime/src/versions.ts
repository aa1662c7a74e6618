import type { Transport } from "./call.ts";
import { checkNames } from "./check-options.ts";
import { type ApiDefinition, withAround } from "./definition.ts";
import { type MethodInfo, type RaisedFailure, RpcFailure } from "./handler.ts";
import { schemaIn } from "./headers.ts";
import type { KeptVersion } from "./kept-version.ts";
import type { Limits, ServerOptions } from "./options.ts";
import { failureReply, type Reply } from "./reply.ts";
import { type AnyExchange, createRpcServer, type RpcServer } from "./server.ts";
import { Bridge, type KeptServer } from "./version-bridge.ts";
import {
  type CurrentVersion,
  currentAsNext,
  keptAsNext,
  type NextVersion,
  outdated,
} from "./version-paths.ts";

/* A server that speaks several versions of an API. The header `Webrpc` names the version of the caller. */

/** The options of a server with custom conversions. */
export type VersionedArguments<Arguments extends readonly [options?: object], Conversions> = [
  options: NonNullable<Arguments[0]> & {
    /** Conversions that the generator cannot derive, by version. */
    readonly versions: Conversions;
  },
];

/** Binds handlers to the current version of an API and to the kept ones, the oldest first. */
export function createVersionedServer<Carrier>(
  api: ApiDefinition,
  handlers: object,
  [given]: readonly [options?: object],
  kept: readonly KeptVersion[],
): RpcServer<Carrier> {
  const options: ServerOptions<unknown, string, Carrier> = given ?? {};
  const { versions: custom = {} }: { readonly versions?: Readonly<Record<string, unknown>> } = given ?? {};
  checkNames(
    "versions",
    custom,
    kept.map(({ version }) => version),
  );
  const server = createRpcServer(api, handlers, [options]);
  const current: CurrentVersion<Carrier> = {
    api,
    version: schemaIn(api.webrpc).version,
    handlers: withAround(api, handlers, options.around),
    options,
  };
  const servers = new Map<string, KeptServer<Carrier>>();
  let next: NextVersion = currentAsNext(current);
  for (const one of [...kept].reverse()) {
    next = keptAsNext(one, next, custom[one.version]);
    servers.set(plainVersion(one.version), new Bridge(one, next, current).server());
  }
  return new VersionedServer(api, server, servers);
}

class VersionedServer<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #api: ApiDefinition;
  readonly #schema: ReturnType<typeof schemaIn>;
  readonly #current: RpcServer<Carrier>;
  /** By version without "v", the newest first. */
  readonly #kept: ReadonlyMap<string, KeptServer<Carrier>>;

  constructor(
    api: ApiDefinition,
    current: RpcServer<Carrier>,
    kept: ReadonlyMap<string, KeptServer<Carrier>>,
  ) {
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = current.limits;
    this.#api = api;
    this.#schema = schemaIn(api.webrpc);
    this.#current = current;
    this.#kept = kept;
  }

  /** Paths that only kept versions have lead to the methods that replaced theirs. */
  methodAt(path: string): MethodInfo | undefined {
    const info = this.#current.methodAt(path);
    if (info !== undefined) return info;
    for (const { server, infoOf } of this.#kept.values()) {
      const older = server.methodAt(path);
      if (older !== undefined) return infoOf(older);
    }
    return undefined;
  }

  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const header = transport.header("webrpc");
    const server = this.#serverOf(header);
    if (server !== undefined) return server.open(path, transport);
    const exchange = this.#current.open(path, transport);
    return exchange && new RefusedExchange(exchange, this.#refusal(header));
  }

  openAny(path: string, transport: Transport<Carrier>): AnyExchange {
    const header = transport.header("webrpc");
    const server = this.#serverOf(header);
    if (server !== undefined) return server.openAny(path, transport);
    return new RefusedExchange(this.#current.openAny(path, transport), this.#refusal(header));
  }

  async drain(): Promise<void> {
    const kept = [...this.#kept.values()].map(({ server }) => server);
    await Promise.all([this.#current, ...kept].map((server) => server.drain()));
  }

  refuseUnparsable(reason?: string, status?: number): Reply {
    return this.#current.refuseUnparsable(reason, status);
  }

  /** Returns the server for the version of a caller. Undefined if the version is too old. */
  #serverOf(header: string | undefined): RpcServer<Carrier> | undefined {
    if (header === undefined) return this.#current;
    const { name, version } = schemaIn(header);
    const own = this.#schema;
    if (version === own.version || name !== own.name) return this.#current;
    const kept = this.#kept.get(plainVersion(version));
    if (kept !== undefined) return kept.server;
    return isOlder(version, own.version) ? undefined : this.#current;
  }

  #refusal(header = ""): Reply {
    const { name, version } = schemaIn(header);
    const kept = [...this.#kept.values()].map((one) => one.version).reverse();
    const cause = `the client was generated from ${name} ${version.slice(0, 40)}, but this server speaks only ${kept.join(", ")} and ${this.#schema.version}: regenerate the client`;
    const failure = RpcFailure.read(outdated(this.#api, cause)) as RaisedFailure;
    return failureReply(failure, cause);
  }
}

/** A call that is refused before its body is read. */
class RefusedExchange implements AnyExchange {
  readonly takesFiles = false;
  readonly #call: AnyExchange;
  readonly #refusal: Reply;

  constructor(call: AnyExchange, refusal: Reply) {
    this.#call = call;
    this.#refusal = refusal;
  }

  admit(): Reply {
    return this.#refusal;
  }

  watchBody(): undefined {
    return undefined;
  }

  answer(_body: unknown, send: (reply: Reply) => void): void {
    send(this.#refusal);
  }

  async receive(_body: unknown, send: (reply: Reply) => void): Promise<void> {
    send(this.#refusal);
  }

  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    return this.#call.finish(reply, isWritable);
  }
}

/** Without "v" and build metadata. */
function plainVersion(version: string): string {
  return version.replace(/^v|[+].*$/g, "");
}

/** Compares semantic versions. Other versions are never older. */
function isOlder(version: string, than: string): boolean {
  const [one, other] = [partsOfVersion(version), partsOfVersion(than)];
  if (one === undefined || other === undefined) return false;
  for (const [index, part] of one.numbers.entries()) {
    const difference = part - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  // v1.0.0-beta is older than v1.0.0.
  return one.isPreview && !other.isPreview;
}

function partsOfVersion(
  version: string,
): { readonly numbers: readonly number[]; readonly isPreview: boolean } | undefined {
  const [, major, minor, patch, preview] = /^v?(\d+)\.(\d+)\.(\d+)(-[^+]*)?(?:\+.*)?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), isPreview: preview !== undefined };
}
