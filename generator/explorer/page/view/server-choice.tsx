/** Chooses the server of a call, such as production or staging. */
interface ServerChoiceProps {
  readonly servers: readonly string[];
  readonly server: string;
  readonly onServer: (url: string) => void;
}

export function ServerChoice({ servers, server, onServer }: ServerChoiceProps) {
  return (
    <div class="field">
      <div class="label">
        <label for="server">Server</label>
      </div>
      <select id="server" value={server} onChange={({ currentTarget }) => onServer(currentTarget.value)}>
        {servers.map((url) => (
          <option key={url}>{url}</option>
        ))}
      </select>
    </div>
  );
}
