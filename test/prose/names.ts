/** Words that no name of ours has in it, in any letter case: what to use is in the glossary of ARCHITECTURE.md. */
export const avoidedInNames: ReadonlySet<string> = new Set([
  "whoever",
  "nobody",
  "somebody",
  "anew",
  "besides",
  "told",
  "wishes",
  "tells",
  "said",
  "says",
  "hungry",
  "spoil",
  "spoilt",
  "spoils",
  "keeper",
  "shelf",
]);

/** Names with such a word that stay, because users, clients or tables have them. */
export const publicNames: ReadonlySet<string> = new Set(["told_at"]);
