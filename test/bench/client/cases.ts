/** The measured calls: a small response, where only the client counts, and one of 12 KB, like a page of orders. */
export const cases: Readonly<Record<string, Case>> = {
  Ping: { path: "/rpc/Marketplace/Ping", request: {}, answer: { status: true } },
  GetOrders: {
    path: "/rpc/Marketplace/GetOrders",
    request: { ids: Array.from({ length: 10 }, (_, index) => `order-${index}`) },
    answer: { orders: Array.from({ length: 10 }, (_, index) => order(index)) },
  },
};

export interface Case {
  readonly path: string;
  readonly request: object;
  readonly answer: object;
}

/** About 1.2 KB. */
function order(index: number): object {
  const amounts = Object.fromEntries(
    Array.from({ length: 24 }, (_, field) => [`field${field}`, `${index}000000000000000${field}`]),
  );
  return { id: `order-${index}`, side: "listing", ...amounts, createdAt: "2026-11-21T06:00:00Z" };
}
