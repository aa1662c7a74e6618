/** A template's text as the code of a function: `OwnTemplate["print"]` of `render.ts`. Throws on what our templates do without. */
export function templateCode(text: string): string;
