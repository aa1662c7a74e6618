/** `/explorer/`, or `/-/explorer/` and so on if a method may serve files of that folder. */
export function freeFolder(getPaths: readonly string[]): string {
  let folder = "/explorer/";
  while (isGetPath(folder, getPaths) || isGetPath(`${folder}{file}`, getPaths)) folder = `/-${folder}`;
  return folder;
}

/** Whether a method may serve the path. A parameter matches any segment. Slashes at the end do not count, because servers may ignore them. */
export function isGetPath(path: string, getPaths: readonly string[]): boolean {
  const segments = segmentsOf(path);
  return getPaths.some((template) => {
    const own = segmentsOf(template);
    return own.length === segments.length && own.every((segment, index) => matches(segment, segments[index]));
  });
}

function matches(template: string, segment = ""): boolean {
  return template.startsWith("{") || segment.startsWith("{") || template === segment;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}
