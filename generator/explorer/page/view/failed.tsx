/** In the place of a page whose host has gone. */
export function Failed() {
  return (
    <main class="alone">
      <h1>The contract could not be read</h1>
      <p>
        Nobody answers at <code>{location.origin}</code>. Start the host again, as with <code>npm start</code>
        , then <a href="/">load this page once more</a>.
      </p>
    </main>
  );
}
