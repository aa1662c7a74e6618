/** A template, made a function when it is bundled or tested: `precompile.mjs`. */
declare module "*.hbs" {
  const own: import("./render.ts").BuiltinTemplate;
  export default own;
}

/** The runtime's files by name, read when the program is bundled: `precompile.mjs`. */
declare module "ridlkit:runtime" {
  export const runtimeTexts: Readonly<Record<string, string>>;
}
