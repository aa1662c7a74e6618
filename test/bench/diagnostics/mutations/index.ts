import type { Mutation } from "../schema.ts";
import { nameMutations } from "./names.ts";
import { signMutations } from "./signs.ts";
import { structureMutations } from "./structure.ts";
import { valueMutations } from "./values.ts";

export const mutations: readonly Mutation[] = [
  ...nameMutations,
  ...structureMutations,
  ...signMutations,
  ...valueMutations,
];
