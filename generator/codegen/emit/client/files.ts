import { claimName } from "../../plan/names.ts";
import type { Plan } from "../../plan/plan.ts";

/** Names of the files other than those of services, without `.ts`. They avoid the names of services: one may be called Index. */
export interface ClientFiles {
  readonly schema: string;
  readonly shapes: string;
  readonly index: string;
}

export function clientFiles({ services }: Plan): ClientFiles {
  const taken = new Set(services.map(({ fileName }) => fileName));
  return {
    schema: claimName("schema", taken),
    shapes: claimName("shapes", taken),
    index: claimName("index", taken),
  };
}
