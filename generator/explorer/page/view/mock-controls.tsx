/** Headers that control the response of a mock server. */
import type { IrMethod, Schema } from "../schema/ir.ts";

export const mockHeaderNames = ["mock-error", "mock-delay", "mock-seed", "mock-items"];

/** Values by header. */
export type MockHeaders = Readonly<Record<string, string>>;

interface MockProps {
  readonly schema: Schema;
  readonly method: IrMethod;
  readonly headers: MockHeaders;
  readonly onChange: (headers: MockHeaders) => void;
}

/** Says why every call fails. */
export function ForcedError({ headers, onChange }: Pick<MockProps, "headers" | "onChange">) {
  const { "mock-error": error = "" } = headers;
  if (error === "") return null;
  return (
    <p class="advice">
      The mock is set to return {error}.{" "}
      <button
        type="button"
        class="link"
        onClick={() => {
          // The button goes away.
          document.getElementById("answer-title")?.focus();
          onChange({ ...headers, "mock-error": "" });
        }}
      >
        Clear
      </button>
    </p>
  );
}

export function MockControls({ schema, method, headers, onChange }: MockProps) {
  const errors = method.errors ?? schema.ir.errors?.map(({ name }) => name) ?? [];
  const set = (name: string, text: string): void => onChange({ ...headers, [name]: text });
  return (
    <details class="mock">
      <summary>Mock settings</summary>
      <div class="fields">
        <div class="field">
          <div class="label">
            <label for="mock:error">Respond with</label>
            <code class="type">Mock-Error</code>
          </div>
          <select
            id="mock:error"
            value={headers["mock-error"] ?? ""}
            onChange={({ currentTarget }) => set("mock-error", currentTarget.value)}
          >
            <option value="">a generated response</option>
            {[...errors, "WebrpcInternalError"].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        {[
          ["mock-delay", "Delay", "such as 200ms; for a stream, also before each item"],
          ["mock-seed", "Seed", "another seed gives other values"],
          ...(method.streamOutput === true ? [["mock-items", "Items", "number of items; default: 5"]] : []),
        ].map(([name = "", title, hint]) => (
          <div class="field" key={name}>
            <div class="label">
              <label for={name}>{title}</label>
            </div>
            <input
              type="text"
              id={name}
              autocomplete="off"
              value={headers[name] ?? ""}
              aria-describedby={`${name}:note`}
              onInput={({ currentTarget }) => set(name, currentTarget.value)}
            />
            <p class="hint" id={`${name}:note`}>
              {hint}
            </p>
          </div>
        ))}
      </div>
    </details>
  );
}
