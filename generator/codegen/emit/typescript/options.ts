/** The options of gen-typescript, with its names and defaults. */
export interface TypescriptOptions {
  readonly client: boolean;
  readonly server: boolean;
  /** `GetUserArgs` and `GetUserReturn` instead of `GetUserRequest` and `GetUserResponse`. */
  readonly compat: boolean;
  /** Send the header `Webrpc`. */
  readonly webrpcHeader: boolean;
  /** Export the constants for versions and the schema's hash. */
  readonly schemaHash: boolean;
  /** `union`: constants with a union type, which type stripping can erase. */
  readonly enumStyle: "enum" | "union";
}

export const typescriptDefaults: TypescriptOptions = {
  client: false,
  server: false,
  compat: false,
  webrpcHeader: true,
  schemaHash: true,
  enumStyle: "enum",
};
