import { Webhook } from "standardwebhooks";
import type { Queries } from "../../base/storage/database.ts";
import type { SecretBox } from "../../webhooks/secret.ts";
import type { LiveReceivedCall, LiveReceiver } from "./snapshot.ts";

const storedMax = 50;

/** Longest shown body, in characters: several times the length of a notification. */
const shownMax = 20_000;

export interface ReceiverDependencies {
  readonly database: Queries;
  readonly secrets: SecretBox;
}

export interface Arrived {
  readonly id: string;
  readonly notification: unknown;
}

export interface ReceivedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A webhook receiver for developers who have none yet: verifies calls, stores them, and fails on request. */
export class Receiver {
  readonly #dependencies: ReceiverDependencies;
  #calls: readonly LiveReceivedCall[] = [];
  #count = 0;
  #status = 204;

  constructor(dependencies: ReceiverDependencies) {
    this.#dependencies = dependencies;
  }

  shown(url: string): LiveReceiver {
    return { url, answers: this.#status, calls: this.#calls };
  }

  /** Returns what a real receiver would have accepted: signed notifications, without repeats, newest last. */
  arrived(): readonly Arrived[] {
    const found = new Map<string, Arrived>();
    for (const { id, isSigned, body } of this.#calls.toReversed())
      if (isSigned && body.length < shownMax && !found.has(id))
        found.set(id, { id, notification: JSON.parse(body) as unknown });
    return [...found.values()];
  }

  respondWith(status: number): void {
    this.#status = status;
  }

  async receive({ url, headers, body }: ReceivedCall): Promise<number> {
    const isSigned = await this.#isSigned(url, headers, body);
    const answered = isSigned ? this.#status : 400;
    const call: LiveReceivedCall = {
      number: ++this.#count,
      at: new Date().toISOString(),
      id: headers["webhook-id"] ?? "",
      isSigned,
      answered,
      body: body.slice(0, shownMax),
    };
    this.#calls = [call, ...this.#calls].slice(0, storedMax);
    return answered;
  }

  async #isSigned(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<boolean> {
    const rows = await this.#dependencies.database.query<SecretRow>(secretsSql, [url]);
    return rows
      .flatMap(({ id, secret, previous }) =>
        [secret, previous].flatMap((sealed) => this.#open(sealed, Number(id))),
      )
      .some((secret) => isVerified(secret, headers, body));
  }

  #open(sealed: Buffer | null, listenerId: number): readonly string[] {
    const secret = sealed === null ? undefined : this.#dependencies.secrets.open(sealed, listenerId);
    return secret === undefined ? [] : [secret];
  }
}

interface SecretRow {
  readonly id: string;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
}

const secretsSql = `
select id, secret, case when previous_secret_until > now() then previous_secret end as previous
from webhook_listener where url = $1`;

function isVerified(secret: string, headers: Readonly<Record<string, string>>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}
