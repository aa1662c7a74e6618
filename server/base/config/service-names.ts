/** The services of the contract, spelt as on the wire. */
export const serviceNames = ["API", "Builder", "Metadata", "Marketplace", "Indexer"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `marketplace` → `Marketplace`; undefined: unknown service. */
export function findService(name: string): ServiceName | undefined {
  return serviceNames.find((service) => service.toLowerCase() === name.toLowerCase());
}
