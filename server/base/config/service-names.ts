/** The services of the contract, as it writes them. */
export const serviceNames = ["API", "Builder", "Metadata", "Marketplace", "Indexer"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `marketplace` → `Marketplace`; undefined if there is no such service. */
export function findService(name: string): ServiceName | undefined {
  return serviceNames.find((service) => service.toLowerCase() === name.toLowerCase());
}
