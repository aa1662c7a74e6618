/** Storage of the browser, which may block it. */

/** The text of this tab under a name; "" if there is none. */
export function readStored(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function tryStore(write: () => void): void {
  try {
    write();
  } catch {
    // The browser blocks storage, or it is full.
  }
}
