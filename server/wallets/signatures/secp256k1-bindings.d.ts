/** The native part of the package, without the fallback of its main file. */
declare module "secp256k1/bindings.js" {
  const native: {
    /** Returns a public key of 33 or 65 bytes. Throws if no key can be recovered. */
    ecdsaRecover(
      signature: Uint8Array,
      recovery: number,
      digest: Uint8Array,
      compressed: boolean,
    ): Uint8Array;
  };
  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default native;
}
