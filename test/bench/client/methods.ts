import { getOrders, ping } from "../../fixtures/market/generated/client.ts";
import type { Case } from "./cases.ts";

/** The generated method of a case. */
export function methodOf({ path }: Case): typeof getOrders | typeof ping {
  return path.endsWith("Ping") ? ping : getOrders;
}
