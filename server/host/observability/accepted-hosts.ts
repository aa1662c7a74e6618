import { isIP } from "node:net";

/**
 * Whether the Host header of a request to the admin server is safe from DNS rebinding. Accepts addresses, names without a dot
 * (`localhost`, services of Compose and Kubernetes), and `names`. Any other name may have been pointed here by a web page.
 */
export function isAdminHost(host: string | undefined, names: readonly string[]): boolean {
  const [, address, name = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::[0-9]{1,5})?$/i.exec(host ?? "") ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const plain = name.toLowerCase();
  return plain !== "" && (isIP(plain) === 4 || !plain.includes(".") || names.includes(plain));
}
