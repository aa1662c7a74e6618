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

/** How the file is written, in addition to the options of gen-typescript. */
export interface TypescriptForm {
  /** Serve the web's `Request`, as since webrpc v0.46, in addition to paths with bodies. */
  readonly servesRequests: boolean;
}

export const typescriptDefaults: TypescriptOptions = {
  client: false,
  server: false,
  compat: false,
  webrpcHeader: true,
  schemaHash: true,
  enumStyle: "enum",
};
