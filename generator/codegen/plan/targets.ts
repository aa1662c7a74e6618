/** What can be generated, in the order of printing. The emitters themselves are loaded only when something is. */
export const targetNames = ["types", "errors", "client", "server", "validators", "json", "openapi"] as const;

/** What is generated where nobody chooses. */
export const standardTargets: readonly TargetName[] = targetNames.filter((name) => name !== "openapi");

export type TargetName = (typeof targetNames)[number];

export function isTargetName(name: string): name is TargetName {
  return (targetNames as readonly string[]).includes(name);
}
