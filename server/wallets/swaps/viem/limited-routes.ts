import type { Plan, Route } from "../swap.ts";

/** One of a transaction's routes, with a limit on its price. */
export interface LimitedRoute {
  readonly route: Route;
  readonly maxPrice: bigint;
}

/** Divides the maximal price in proportion to the prices of the routes, so that their sum never exceeds it. */
export function limitRoutes({ routes, price }: Plan, maxPrice: bigint): readonly LimitedRoute[] {
  let left = maxPrice;
  return routes.map((route, index) => {
    const limit = index + 1 === routes.length ? left : (maxPrice * route.price) / price;
    left -= limit;
    return { route, maxPrice: limit };
  });
}
