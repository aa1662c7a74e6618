/** What `ridlkit history` does with the versions of a contract. */
export const historyActions = ["add", "list", "changelog"] as const;
export type HistoryAction = (typeof historyActions)[number];
