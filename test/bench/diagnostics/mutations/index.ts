import type { Mutation } from "../schema.ts";
import { nameMutations } from "./names.ts";
import { punctuationMutations } from "./punctuation.ts";
import { structureMutations } from "./structure.ts";
import { valueMutations } from "./values.ts";

export const mutations: readonly Mutation[] = [
  ...nameMutations,
  ...structureMutations,
  ...punctuationMutations,
  ...valueMutations,
];
