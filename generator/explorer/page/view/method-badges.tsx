/** What a caller should know about a method before calling it. */
import type { HostInfo } from "../call/host-info.ts";
import { type IrMethod, isRead, keysOf } from "../schema/ir.ts";

interface MethodBadgesProps {
  readonly method: IrMethod;
  readonly hostInfo: HostInfo;
}

export function MethodBadges({ method, hostInfo }: MethodBadgesProps) {
  const { streamInput, streamOutput, annotations = {} } = method;
  const wanted = keysOf(method);
  const titles = (hostInfo.keys ?? []).flatMap(({ name, title }) => (wanted.includes(name) ? [title] : []));
  const badges = [
    isRead(method) ? "read" : "write",
    ...(streamInput === true || streamOutput === true ? ["stream"] : []),
    ...(annotations["deprecated"] === undefined ? [] : ["deprecated"]),
    ...titles.map((title) => title.toLowerCase()),
  ];
  return (
    <ul class="badges">
      {badges.map((badge) => (
        <li key={badge} class={`is-${badge.replaceAll(" ", "-")}`}>
          {badge}
        </li>
      ))}
    </ul>
  );
}
