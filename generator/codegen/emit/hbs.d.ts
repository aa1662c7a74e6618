/** Templates are compiled to functions when the program is bundled or tested, see `precompile.mjs`. */
declare module "*.hbs" {
  const own: import("./render.ts").BuiltinTemplate;
  export default own;
}

/** The runtime's source files by name, read when the program is bundled, see `precompile.mjs`. */
declare module "ridlkit:runtime" {
  export const runtimeTexts: Readonly<Record<string, string>>;
}
