/** Panels of the header: the keys that calls send, and the keyboard shortcuts. */
import { useEffect, useRef } from "preact/hooks";
import type { HostInfo } from "../call/host-info.ts";
import type { KeyValues } from "../state/session.ts";
import { isTyping } from "./parts.tsx";

interface KeysPanelProps {
  readonly hostInfo: HostInfo;
  readonly keyValues: KeyValues;
  readonly onKey: (name: string, text: string) => void;
}

/** Keys are entered once, for all methods. */
export function KeysPanel({ hostInfo: { keys = [] }, keyValues, onKey }: KeysPanelProps) {
  if (keys.length === 0) return null;
  const filled = keys.filter(({ name }) => (keyValues[name] ?? "").trim() !== "").length;
  return (
    <>
      <button type="button" class="quiet" popovertarget="keys">
        Keys {filled}/{keys.length}
      </button>
      <div id="keys" class="panel" popover="auto" role="dialog" aria-label="Keys">
        {keys.map(({ name, title, isSecret, header, help }) => (
          <div class="field" key={name}>
            <div class="label">
              <label for={`key:${name}`}>{title}</label>
              <code class="type">{header}</code>
            </div>
            <input
              {...(isSecret === true ? { type: "password" as const } : { type: "text" as const })}
              id={`key:${name}`}
              // Enter sends the call of the page.
              form="call"
              spellcheck={false}
              autocomplete="off"
              value={keyValues[name] ?? ""}
              aria-describedby={`key:${name}:note`}
              onInput={({ currentTarget }) => onKey(name, currentTarget.value)}
            />
            <p class="hint" id={`key:${name}:note`}>
              {help}
            </p>
          </div>
        ))}
        <p class="hint">Keys stay in this tab until you close it.</p>
      </div>
    </>
  );
}

/** Macs and iPhones have another key for commands. */
export const commandKey: string = /Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl";

const shortcuts = [
  [`${commandKey} Enter`, "send the call"],
  [`/ or ${commandKey} K`, "search methods, types, fields and errors"],
  ["↑ ↓", "move through results, and through the fields of a response"],
  ["Enter", "open the result, or copy the path of the field"],
  ["?", "show these keys"],
  ["Esc", "close"],
] as const;

export function ShortcutsPanel() {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = (event: KeyboardEvent): void => {
      if (event.key === "?" && !isTyping()) panel.current?.togglePopover();
    };
    addEventListener("keydown", show);
    return () => removeEventListener("keydown", show);
  }, []);
  return (
    <>
      <button type="button" class="quiet shortcuts" popovertarget="shortcuts" aria-label="Keyboard shortcuts">
        ?
      </button>
      <div
        id="shortcuts"
        class="panel"
        popover="auto"
        role="dialog"
        aria-label="Keyboard shortcuts"
        ref={panel}
      >
        <dl class="headers">
          {shortcuts.map(([keys, effect]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
