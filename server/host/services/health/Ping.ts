/** Shows that the service is reachable and can read requests. The same for every service. */
export function ping(): { readonly status: boolean } {
  return { status: true };
}
