import type { Handlers } from "../../fixtures/shop/generated/server.ts";

/** A small service that tests control. */
export const shopHandlers: Handlers = {
  Shop: {
    GetItem: (ctx, { id }) => {
      if (id === 404) return ctx.errors.NotFound({ cause: "row 404 of table items is gone" });
      if (id === 405) return ctx.errors.NotFound({ cause: "ids start at 1000", expose: true });
      if (id === 406) throw ctx.errors.NotFound();
      return { item: { id, name: `item ${id}` } };
    },
    Order: async (ctx, { id }) => {
      if (id === 409) return ctx.errors.SoldOut();
      return undefined;
    },
    Buy: (_ctx, { price }) => ({ total: price * 2n }),
    Ping: () => {},
    Echo: (_ctx, { value }) => ({ value }),
  },
  "v1/Back Office": {
    constructor: (ctx) => ({ name: ctx.method.name }),
    toString: (_ctx, { text }) => ({ text }),
  },
};

/** GetItem returns or throws what a test needs, regardless of types. It may only raise NotFound. */
export function shopWith(getItem: (...args: never[]) => unknown): Handlers {
  return { ...shopHandlers, Shop: { ...shopHandlers.Shop, GetItem: getItem as never } };
}
