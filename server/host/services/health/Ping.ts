/** The service is reachable and reads its requests. The same on every service. */
export function ping(): { readonly status: boolean } {
  return { status: true };
}
