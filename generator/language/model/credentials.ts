/** The credentials that the value of `@auth` names: `accessKey,secretKey` → both; undefined → none. */
export function credentialNames(auth: string | undefined): readonly string[] {
  return (auth ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
