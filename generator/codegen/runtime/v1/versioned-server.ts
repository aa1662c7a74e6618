/** A server that speaks several versions of an API. The header `Webrpc` names the version of the caller. */
import type { Transport } from "./caller.ts";
import { type CurrentVersion, currentAsNext, keptAsNext, type NextVersion } from "./conversion-path.ts";
import { type RaisedFailure, RpcFailure } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { Limits, ServerOptions } from "./hooks.ts";
import type { KeptVersion } from "./kept-version.ts";
import { failureReply, type Reply } from "./reply.ts";
import type { RoutedApi } from "./route.ts";
import type { AnyExchange, RpcServer } from "./server.ts";
import { bridgedServer } from "./version-bridge.ts";
import { outdated } from "./version-conversion.ts";
import { schemaIn } from "./webrpc-header.ts";

/** The options of a server with custom conversions. */
export type VersionedArguments<Arguments extends readonly [options?: object], Conversions> = [
  options: NonNullable<Arguments[0]> & {
    /** Conversions that the generator cannot derive, by version. */
    readonly versions: Conversions;
  },
];

/** Creates the server of one version. */
export type CreateServer = <Host, ErrorName extends string, Carrier>(
  api: RoutedApi,
  handlers: object,
  options: readonly [options?: ServerOptions<Host, ErrorName, Carrier>],
) => RpcServer<Carrier>;

/** Binds handlers to the current version of an API and to the kept ones, the oldest first. */
export function createVersionedServer<Carrier>(
  create: CreateServer,
  api: RoutedApi,
  handlers: object,
  [given]: readonly [options?: object],
  kept: readonly KeptVersion[],
): RpcServer<Carrier> {
  const options: ServerOptions<unknown, string, Carrier> = given ?? {};
  const { versions: custom = {} }: { readonly versions?: Readonly<Record<string, unknown>> } = given ?? {};
  const server = create(api, handlers, [options]);
  const current: CurrentVersion<Carrier> = { api, version: schemaIn(api.webrpc).version, handlers, options };
  const servers = new Map<string, KeptServer<Carrier>>();
  let next: NextVersion = currentAsNext(current);
  for (const one of [...kept].reverse()) {
    next = keptAsNext(one, next, custom[one.version]);
    const bridged = bridgedServer(one, next, current);
    const served = create(bridged.api, bridged.handlers, [bridged.options]);
    servers.set(plainVersion(one.version), { ...bridged, version: one.version, server: served });
  }
  return new VersionedServer(api, server, servers);
}

/** The server of a kept version. */
interface KeptServer<Carrier> {
  readonly version: string;
  readonly server: RpcServer<Carrier>;
  /** Returns the method of the current version. */
  readonly infoOf: (info: MethodInfo) => MethodInfo;
}

class VersionedServer<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #api: RoutedApi;
  readonly #current: RpcServer<Carrier>;
  /** By version without "v", the newest first. */
  readonly #kept: ReadonlyMap<string, KeptServer<Carrier>>;

  constructor(api: RoutedApi, current: RpcServer<Carrier>, kept: ReadonlyMap<string, KeptServer<Carrier>>) {
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = current.limits;
    this.#api = api;
    this.#current = current;
    this.#kept = kept;
  }

  /** Paths that only earlier versions have lead to the methods that replaced theirs. */
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
    if (header === undefined || header === this.webrpc) return this.#current;
    const own = schemaIn(this.webrpc);
    const caller = schemaIn(header);
    if (caller.name !== own.name) return this.#current;
    const kept = this.#kept.get(plainVersion(caller.version));
    if (kept !== undefined) return kept.server;
    return isOlder(caller.version, own.version) ? undefined : this.#current;
  }

  #refusal(header = ""): Reply {
    const { name, version } = schemaIn(header);
    const kept = [...this.#kept.values()].map((one) => one.version).reverse();
    const cause = `the client was generated from ${name} ${version.slice(0, 40)}, but this server speaks only ${kept.join(", ")} and ${schemaIn(this.webrpc).version}: regenerate the client`;
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
