import type { Texts } from "../state/session.ts";
export function LivePage(_: { readonly keyTexts: Texts }) {
  return (
    <article>
      <h1>Live</h1>
    </article>
  );
}
