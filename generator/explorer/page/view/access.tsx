/** Where a call goes and what it shows there: the network, and the keys of this session. */
import type { HostFacts, KeyFact } from "../call/facts.ts";
import type { FieldFaults } from "../form/wire.ts";
import type { Texts } from "../state/session.ts";

interface AccessProps {
  readonly facts: HostFacts;
  readonly hasNetwork: boolean;
  readonly network: string;
  readonly keys: readonly KeyFact[];
  readonly keyTexts: Texts;
  readonly faults: FieldFaults;
  readonly onNetwork: (text: string) => void;
  readonly onKey: (name: string, text: string) => void;
}

export function Access({
  facts,
  hasNetwork,
  network,
  keys,
  keyTexts,
  faults,
  onNetwork,
  onKey,
}: AccessProps) {
  if (!hasNetwork && keys.length === 0) return <p class="note">This method needs no key.</p>;
  const { networks = [] } = facts;
  return (
    <fieldset class="access">
      <legend>Access</legend>
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
            aria-invalid={faults.has("network")}
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
          <Words id="network:fault" text={faults.get("network")} />
          <p class="hint" id="network:note">
            Name or chain id, in the path; empty: the default network.
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
            value={keyTexts[name] ?? ""}
            aria-invalid={faults.has(`key:${name}`)}
            aria-describedby={`key:${name}:fault`}
            onInput={({ currentTarget }) => onKey(name, currentTarget.value)}
          />
          <Words id={`key:${name}:fault`} text={faults.get(`key:${name}`)} />
        </div>
      ))}
      <p class="hint">Kept in this tab until it is closed.</p>
    </fieldset>
  );
}

function Words({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return (
    <p class="fault" id={id} hidden={text === undefined}>
      {text}
    </p>
  );
}
