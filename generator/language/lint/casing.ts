/** `get_user-byID` → `["get", "user", "by", "ID"]`, and `HTTPStatus` → `["HTTP", "Status"]`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
}

/** Whether a name starts with a capital letter and has only letters and digits: `UserID`, `ERC20`. */
export function isPascalCase(name: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/.test(name);
}

/** `get_user` → `GetUser`. */
export function toPascalCase(name: string): string {
  return wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

export function isCamelCase(name: string): boolean {
  return /^[a-z][A-Za-z0-9]*$/.test(name);
}

/** `created_at` → `createdAt`, `ID` → `id`, `HTTPStatus` → `httpStatus`. */
export function toCamelCase(name: string): string {
  return wordsOf(name)
    .map((word, index) =>
      index > 0
        ? word.charAt(0).toUpperCase() + word.slice(1)
        : /^[A-Z0-9]+$/.test(word)
          ? word.toLowerCase()
          : word.charAt(0).toLowerCase() + word.slice(1),
    )
    .join("");
}
