/** Sends a request to the local chain, also one that public chains do not accept, such as `evm_mine`. Throws an Error. */
export async function request<Result>(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { result, error } = (await response.json()) as Reply<Result>;
  if (error !== undefined) throw new Error(`the local chain rejected ${method}: ${error.message}`);
  return result;
}

interface Reply<Result> {
  readonly result: Result;
  readonly error?: { readonly message: string };
}

export interface HeadBlock {
  readonly number: number;
  readonly hash: string;
}

export async function readHead(rpcUrl: string, signal?: AbortSignal): Promise<HeadBlock> {
  const { number, hash } = await request<{ readonly number: string; readonly hash: string }>(
    rpcUrl,
    "eth_getBlockByNumber",
    ["latest", false],
    signal,
  );
  return { number: Number(number), hash };
}
