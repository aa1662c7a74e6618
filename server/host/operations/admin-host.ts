import { isIP } from "node:net";

/**
 * Whether a request to the operators' port names a host that nobody outside can point here: an address, a name without a dot such as
 * `localhost` and the services of Compose and Kubernetes, or one of `names`. Any other name may be a page's own (DNS rebinding).
 */
export function isAdminHost(host: string | undefined, names: readonly string[]): boolean {
  const [, address, name = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::[0-9]{1,5})?$/i.exec(host ?? "") ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const plain = name.toLowerCase();
  return plain !== "" && (isIP(plain) === 4 || !plain.includes(".") || names.includes(plain));
}
