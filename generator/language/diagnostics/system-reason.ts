/** Whether a call of the system failed, such as opening a file. */
export function isSystemError(err: unknown): err is Error & { readonly code: string } {
  return err instanceof Error && "syscall" in err && "code" in err;
}

/** `ENOENT: no such file …` → `it does not exist`. Rethrows errors without a code. */
export function systemReason(err: unknown): string {
  const code = err instanceof Error && "code" in err ? String(err.code) : undefined;
  if (code === undefined) throw err;
  return reasons[code] ?? `the system reported ${code}`;
}

/** Why a file cannot be created or written. */
export function writeReason(err: unknown): string {
  const isMissing = err instanceof Error && "code" in err && err.code === "ENOENT";
  return isMissing ? "its folder does not exist" : systemReason(err);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  ELOOP: "its symbolic links form a cycle",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is not a regular file",
  EMFILE: "too many files are open",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
  EEXIST: "a file exists in place of a directory",
  ERR_INVALID_ARG_VALUE: "its path contains a NUL character",
};
