/**
 * Compiles a template to the code of a function, `BuiltinTemplate["print"]` of `render.ts`. Throws if the template uses
 * a rejected feature.
 */
export function templateCode(text: string): string;
