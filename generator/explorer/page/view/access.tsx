/** The network of a call, and the keys that it sends. */
import { useEffect, useState } from "preact/hooks";
import type { HostInfo, KeyInfo } from "../call/host-info.ts";
import type { FieldErrors } from "../form/request-body.ts";
import type { KeyValues } from "../state/session.ts";

/** The width of phones, as in the styles. */
const narrow = "(max-width: 760px)";

interface AccessProps {
  readonly hostInfo: HostInfo;
  readonly hasNetwork: boolean;
  readonly network: string;
  readonly keys: readonly KeyInfo[];
  readonly keyValues: KeyValues;
  readonly errors: FieldErrors;
  readonly onNetwork: (text: string) => void;
  readonly onKey: (name: string, text: string) => void;
}

export function Access({
  hostInfo,
  hasNetwork,
  network,
  keys,
  keyValues,
  errors,
  onNetwork,
  onKey,
}: AccessProps) {
  const filled = keys.filter(({ name }) => (keyValues[name] ?? "") !== "");
  const hasErrors = [...errors.keys()].some((id) => id === "network" || id.startsWith("key:"));
  // On phones the filled-in fields would push the body off the screen.
  const [isOpen, setOpen] = useState(() => filled.length < keys.length || !matchMedia(narrow).matches);
  useEffect(() => {
    if (hasErrors) setOpen(true);
  }, [hasErrors]);
  if (!hasNetwork && keys.length === 0) return <p class="hint">This method needs no key.</p>;
  const { networks = [] } = hostInfo;
  const summary = [...(hasNetwork ? [network] : []), ...filled.map(({ title }) => title.toLowerCase())];
  return (
    <details class="access" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Access <span class="hint">{isOpen ? "" : summary.filter((part) => part !== "").join(", ")}</span>
      </summary>
      <div class="fields">
        {hasNetwork && (
          <div class="field">
            <div class="label">
              <label for="network">Network</label>
            </div>
            <input
              type="text"
              id="network"
              list="networks"
              spellcheck={false}
              autocomplete="off"
              value={network}
              aria-invalid={errors.has("network")}
              aria-describedby="network:fault network:note"
              onInput={({ currentTarget }) => onNetwork(currentTarget.value.trim())}
            />
            <datalist id="networks">
              {networks.map(({ name, chainId }) => (
                <option key={name} value={name}>
                  {chainId}
                </option>
              ))}
            </datalist>
            <ErrorText id="network:fault" text={errors.get("network")} />
            <p class="hint" id="network:note">
              Network name or chain ID for the request path. Leave empty for the default network.
            </p>
          </div>
        )}
        {keys.map(({ name, title, isSecret, header }) => (
          <div class="field" key={name}>
            <div class="label">
              <label for={`key:${name}`}>{title}</label>
              <code class="type">{header}</code>
            </div>
            <input
              {...(isSecret === true ? { type: "password" as const } : { type: "text" as const })}
              id={`key:${name}`}
              spellcheck={false}
              autocomplete="off"
              value={keyValues[name] ?? ""}
              aria-invalid={errors.has(`key:${name}`)}
              aria-describedby={`key:${name}:fault`}
              onInput={({ currentTarget }) => onKey(name, currentTarget.value)}
            />
            <ErrorText id={`key:${name}:fault`} text={errors.get(`key:${name}`)} />
          </div>
        ))}
        <p class="hint">Keys stay in this tab until you close it.</p>
      </div>
    </details>
  );
}

function ErrorText({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return (
    <p class="fault" id={id} hidden={text === undefined}>
      {text}
    </p>
  );
}
