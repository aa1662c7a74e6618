import type { LoopbackGuard } from "../../dev/loopback.ts";

export const callerOptions = {
  allowHost: {
    kind: "text",
    value: "NAMES",
    description: "also answer requests for these host names, as dev.example,api.example",
  },
  allowOrigin: {
    kind: "text",
    value: "ORIGINS",
    description: "also answer pages of these origins, as https://app.example",
  },
} as const;

/** Returns the allowed callers, or a message about an invalid option. */
export function allowedCallers(options: {
  readonly allowHost?: string | undefined;
  readonly allowOrigin?: string | undefined;
}): LoopbackGuard | string {
  const hosts = namesOf(options.allowHost);
  const origins = namesOf(options.allowOrigin);
  const badHost = hosts.find((host) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (badHost !== undefined)
    return `--allow-host takes names without a port, as dev.example, found "${badHost}".`;
  const badOrigin = origins.find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin.toLowerCase(),
  );
  if (badOrigin !== undefined)
    return `--allow-origin takes origins without a path, as https://app.example, found "${badOrigin}".`;
  return { hosts, origins };
}

function namesOf(list = ""): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
