import type { LoopbackGuard } from "../../dev/loopback.ts";

/** Options of commands that serve on loopback. */
export const callerOptions = {
  allowHost: {
    kind: "text",
    value: "NAMES",
    description: "Also accept these host names, such as dev.example,api.example",
  },
  allowOrigin: {
    kind: "text",
    value: "ORIGINS",
    description: "Also accept web pages of these origins, such as https://app.example",
  },
} as const;

/** Reads the options; returns a message if one is invalid. */
export function allowedCallers(options: {
  readonly allowHost?: string | undefined;
  readonly allowOrigin?: string | undefined;
}): LoopbackGuard | string {
  const hosts = namesOf(options.allowHost);
  const origins = namesOf(options.allowOrigin);
  const badHost = hosts.find((host) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (badHost !== undefined)
    return `--allow-host takes host names without a port, such as dev.example; found "${badHost}".`;
  const badOrigin = origins.find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin.toLowerCase(),
  );
  if (badOrigin !== undefined)
    return `--allow-origin takes origins without a path, such as https://app.example; found "${badOrigin}".`;
  return { hosts, origins };
}

function namesOf(list = ""): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
