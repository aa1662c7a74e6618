/** The texts of a file before and after a change; undefined if the file does not exist. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Prints a unified diff for `patch` and `git apply`. */
export async function patchOf({ path, before, after }: Change): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const name = path.replace(/^\/+/, "");
  const names = [
    before === undefined ? nowhere : `a/${name}`,
    after === undefined ? nowhere : `b/${name}`,
  ] as const;
  const headerOptions = FILE_HEADERS_ONLY;
  return createTwoFilesPatch(...names, before ?? "", after ?? "", undefined, undefined, { headerOptions });
}

const nowhere = "/dev/null";
