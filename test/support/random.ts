export { type Random, seededRandom } from "../../generator/verify/samples/random.ts";

/** A seed for a run that was given none; print it, so that the run can be repeated. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
