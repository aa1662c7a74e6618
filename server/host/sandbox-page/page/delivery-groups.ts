import type { LiveDelivery } from "../snapshot.ts";

/**
 * Deliveries that one block caused at one listener and that are in the same state, such as those of twelve minted tokens. At
 * least one, newest first.
 */
export type DeliveryGroup = readonly [LiveDelivery, ...LiveDelivery[]];

/** Groups neighbors only, so that the order of the list stays. */
export function groupDeliveries(deliveries: readonly LiveDelivery[]): readonly DeliveryGroup[] {
  const groups: [LiveDelivery, ...LiveDelivery[]][] = [];
  for (const delivery of deliveries) {
    const last = groups.at(-1);
    if (last !== undefined && kindOf(last[0]) === kindOf(delivery)) last.push(delivery);
    else groups.push([delivery]);
  }
  return groups;
}

/** Deliveries that still wait are sent anyway, and dropped ones announce events that left the chain. */
export function canReplay({ state }: Pick<LiveDelivery, "state">): boolean {
  return state === "accepted" || state === "failed";
}

function kindOf({ chainId, listenerId, block, type, event, state }: LiveDelivery): string {
  return JSON.stringify([chainId, listenerId, block, type, event, state]);
}
