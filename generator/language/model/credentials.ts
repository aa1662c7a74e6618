/** Splits the value of `@auth`: `accessKey,secretKey` → both names; undefined → none. */
export function credentialNames(auth: string | undefined): readonly string[] {
  return (auth ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
