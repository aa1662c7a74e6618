/** Shown if the host does not respond while the page loads. */
export function LoadFailed() {
  return (
    <main class="alone">
      <h1>The contract could not be read</h1>
      <p>
        No response from <code>{location.origin}</code>. Start the host again (<code>npm start</code>), then{" "}
        <a href="/">reload this page</a>.
      </p>
    </main>
  );
}
