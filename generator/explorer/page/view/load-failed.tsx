/** Shown if the host does not respond while the page loads. */
export function LoadFailed() {
  return (
    <main class="alone">
      <h1>The contract could not be read</h1>
      <p>
        No response from <code>{location.host}</code>, or an invalid one. Start the server again, then{" "}
        <a href={location.pathname}>reload this page</a>.
      </p>
    </main>
  );
}
