/*
 * Receives files on disk in Node.js, Bun and Deno. "exports" of package.json names `uploads-in-memory` for other
 * runtimes, so that their bundles have no module of Node.js. Copies of the runtime do not need this module.
 */

export { uploadReceiver } from "./uploads-on-disk.ts";
