/** What this process sends to nodes. */
export interface Requests {
  /** HTTP requests. A batch of calls is one request. */
  readonly http: number;
  readonly calls: number;
}

let http = 0;
let calls = 0;

/** Counts the requests of all candidates from now on. */
export function countRequests(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    http++;
    if (typeof init?.body === "string") calls += init.body.split('"method":').length - 1;
    return send(input, init);
  };
}

export function requestsSoFar(): Requests {
  return { http, calls };
}
