/** The build of recheck without native programs, which has no types of its own. */
declare module "recheck/lib/browser.js" {
  const recheck: Pick<typeof import("recheck"), "checkSync">;
  export default recheck;
}
