/** The response of a call that failed. */
export class ApiError<Body> extends Error {
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** `fetch` throws a TypeError if no response arrived. */
export type ErrorType<Body> = ApiError<Body> | TypeError;

export async function customFetch<Value>(url: string, init: RequestInit): Promise<Value> {
  const response = await fetch(url, init);
  const isJson = response.headers.get("Content-Type")?.includes("json");
  const body: unknown = await (isJson ? response.json() : response.text());
  if (!response.ok) throw new ApiError(response.status, body);
  return body as Value;
}
