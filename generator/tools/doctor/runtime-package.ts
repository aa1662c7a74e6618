import { dependencyIn, parsePackageJson } from "./package-json.ts";

export const runtimeName = "ridlkit-runtime";

/** The runtime next to a tarball of ridlkit: `a/ridlkit-0.1.0.tgz` → `a/ridlkit-runtime-0.1.0.tgz`. Other paths stay the same. */
export function runtimeBeside(tarball: string): string {
  return tarball.replace(/(^|[:\\/])ridlkit(?=[^\\/]*[.]tgz$)/, `$1${runtimeName}`);
}

/** The runtime in a folder of ridlkit, which is a clone of the repository. */
export const runtimeInRepository = "generator/runtime";

/**
 * The argument of `npm install` for the runtime: `ridlkit-runtime@1.2.3`, or a file if package.json installs ridlkit or its runtime from
 * files, which may not be published.
 */
export function runtimeToInstall(version: string, packageText: string | undefined): string {
  const [toolkit, runtime] = ["ridlkit", runtimeName].map((name) => fileDependency(name, packageText));
  if (toolkit !== undefined && !toolkit.endsWith(".tgz"))
    return `${toolkit.replace(/[\\/]$/, "")}/${runtimeInRepository}`;
  if (toolkit !== undefined && runtimeBeside(toolkit) !== toolkit) return runtimeBeside(toolkit);
  return runtime ?? `${runtimeName}@${version}`;
}

/** The path of a package that is installed from a file: `file:../a.tgz`. */
function fileDependency(name: string, packageText = "{}"): string | undefined {
  const spec = dependencyIn(parsePackageJson(packageText) ?? {}, name);
  return typeof spec === "string" && spec.startsWith("file:") ? spec : undefined;
}
