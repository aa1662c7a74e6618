import type { Handlers } from "../../../generated/server/index.ts";
import type { ServiceName } from "../../base/config/service-names.ts";

/** Returns the handlers of the hosted services. The paths of the others are unknown to the host. */
export function selectServices<Host>(
  handlers: Handlers<Host>,
  services: readonly ServiceName[],
): Partial<Handlers<Host>> {
  // A service that is missing in `ServiceName` is a compile error.
  const all: Record<ServiceName, unknown> = handlers satisfies Record<keyof Handlers, unknown>;
  return Object.fromEntries(services.map((service: keyof Handlers) => [service, all[service]]));
}
