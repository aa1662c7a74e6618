/** Whether a path is a folder or in it, with the separators of any system. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
