/** A call on a path that routes match. */
import type { BodyRefusal, BodyWatcher } from "./body-watcher.ts";
import type { Transport } from "./caller.ts";
import type { Core } from "./core.ts";
import type { Send } from "./deadline.ts";
import { Exchange } from "./exchange.ts";
import { RpcFailure } from "./failure.ts";
import { BodyFault } from "./json.ts";
// @if reads
import { requestOfJsonQuery, targetOf } from "./json-query.ts";
// @end
// @if reads
import { openCall, withoutStore } from "./read-exchange.ts";
// @end
import { builtinCode, type Reply } from "./reply.ts";
import type { ReadBody } from "./request-body.ts";
import { routeVerbs } from "./route.ts";
import { requestOfBody, requestOfUrl, type ServedRoute } from "./route-request.ts";
import type { AnyExchange } from "./server.ts";

/**
 * Chooses the route by the verb, and then handles the call as if it had the request of an unrouted call. HEAD is
 * handled as GET: HTTP servers omit the body.
 */
export class RoutedExchange<Carrier> implements AnyExchange {
  readonly #core: Core<Carrier>;
  readonly #path: string;
  /** By verb. */
  readonly #routes: ReadonlyMap<string, ServedRoute>;
  readonly #transport: Transport<Carrier>;
  #route: ServedRoute | undefined;
  #call: Exchange<Carrier>;

  constructor(
    core: Core<Carrier>,
    path: string,
    routes: ReadonlyMap<string, ServedRoute>,
    transport: Transport<Carrier>,
  ) {
    this.#core = core;
    this.#path = path;
    this.#routes = routes;
    this.#transport = transport;
    this.#call = new Exchange(core, path, undefined, transport);
  }

  /** Adapters pass a body with files to `receive` unread, and here it stays unread. */
  get takesFiles(): boolean {
    return this.#isBodiless;
  }

  admit(httpMethod = ""): Reply | undefined | Promise<Reply | undefined> {
    const route = this.#routes.get(httpMethod === "HEAD" ? "GET" : httpMethod);
    if (route === undefined) return this.#badMethod(httpMethod);
    this.#route = route;
    const transport = this.#isBodiless ? new BodilessTransport(this.#transport) : this.#transport;
    this.#call = new Exchange(this.#core, this.#path, route.method, transport);
    // @if reads
    this.#call = openCall(this.#core, this.#path, route.method, httpMethod, transport);
    // @end
    return this.#call.admit("POST");
  }

  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined {
    return this.#call.watchBody(refuse);
  }

  answer(body: ReadBody, send: Send): void {
    const isRead = !(body instanceof BodyFault || body instanceof RpcFailure);
    // @if reads
    if (this.#route?.isDefaultPath) {
      this.#call.answer(body, send);
      return;
    }
    // @end
    const request =
      isRead && this.#route ? requestOfBody(this.#route, this.#path, body, this.#core.api.json) : body;
    this.#call.answer(request, send);
  }

  async receive(_body: AsyncIterable<Uint8Array>, send: Send): Promise<void> {
    const query = queryOf(this.#transport.carrier);
    // @if reads
    if (this.#route?.isDefaultPath) {
      const { emptyRequest = false } = this.#route.method.definition;
      this.#call.answer(requestOfJsonQuery(targetOf(this.#transport.carrier), query, emptyRequest), send);
      return;
    }
    // @end
    const request = this.#route ? requestOfUrl(this.#route, this.#path, query, this.#core.api.json) : "";
    this.#call.answer(request, send);
  }

  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    // @if reads
    if (this.#route === undefined) return this.#call.finish(withoutStore(reply), isWritable);
    // @end
    return this.#call.finish(reply, isWritable);
  }

  get #isBodiless(): boolean {
    return this.#route?.definition.query !== undefined;
  }

  #badMethod(httpMethod: string): Reply {
    const allowed = routeVerbs.filter((verb) => this.#routes.has(verb));
    const cause = `unsupported HTTP method ${httpMethod} (allowed: ${allowed.join(", ")})`;
    const Allow = allowed.map((verb) => (verb === "GET" ? "GET, HEAD" : verb)).join(", ");
    return this.#core.builtin(builtinCode.badMethod, { publicCause: cause, cause, headers: { Allow } });
  }
}

/** Hides headers about a body that is not read. */
class BodilessTransport<Carrier> implements Transport<Carrier> {
  readonly carrier: Carrier;
  readonly #transport: Transport<Carrier>;

  constructor(transport: Transport<Carrier>) {
    this.carrier = transport.carrier;
    this.#transport = transport;
  }

  header(name: string): string | undefined {
    if (name === "content-type") return "application/json";
    return name === "content-encoding" ? undefined : this.#transport.header(name);
  }

  whenGone(callback: () => void): void {
    this.#transport.whenGone(callback);
  }
}

/** Returns the query without "?". The carriers of all adapters have the URL of the request. */
function queryOf(carrier: unknown): string {
  const { url } = (carrier ?? {}) as { readonly url?: unknown };
  const [, query = ""] = typeof url === "string" ? (/^[^?#]*[?]([^#]*)/.exec(url) ?? []) : [];
  return query;
}
