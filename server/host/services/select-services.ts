import type { Handlers } from "../../../generated/server/index.ts";
import type { ServiceName } from "../../base/config/service-names.ts";

/** The handlers of some services; the paths of the others are unknown. */
export function selectServices<Host>(
  handlers: Handlers<Host>,
  services: readonly ServiceName[],
): Partial<Handlers<Host>> {
  // A service that configurations cannot name does not compile.
  const all: Record<ServiceName, unknown> = handlers satisfies Record<keyof Handlers, unknown>;
  return Object.fromEntries(services.map((service: keyof Handlers) => [service, all[service]]));
}
