import { argumentChanges } from "./arguments.ts";
import { both, type Change } from "./change.ts";
import { declarationChanges } from "./declarations.ts";
import { derivedChanges } from "./derived.ts";
import { enumChanges } from "./enums.ts";
import { errorChanges } from "./errors.ts";
import { groupChanges } from "./groups.ts";
import { kindChanges } from "./kinds.ts";
import { limitChanges } from "./limits.ts";
import { methodChanges } from "./methods.ts";
import { presenceChanges } from "./presence.ts";
import { responseChanges } from "./responses.ts";
import { routeChanges } from "./routes.ts";
import { typeChanges } from "./types.ts";

/** Known changes, each with its verdict for both orders of deployment. */
export const changes: readonly Change[] = [
  both("nothing", {}, {}, ["same", "same"]),
  ...groupChanges,
  ...derivedChanges,
  ...kindChanges,
  ...routeChanges,
  ...presenceChanges,
  ...typeChanges,
  ...limitChanges,
  ...enumChanges,
  ...responseChanges,
  ...declarationChanges,
  ...methodChanges,
  ...errorChanges,
  ...argumentChanges,
];
