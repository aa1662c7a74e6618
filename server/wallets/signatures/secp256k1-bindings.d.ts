/** The native half of the package, without the fallback that its main file adds. */
declare module "secp256k1/bindings.js" {
  const native: {
    /** Public key of 33 or 65 bytes. Throws on a signature of nobody. */
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
