type PackageJson = Readonly<Record<string, unknown>>;

/** Returns undefined if the text is not valid JSON. */
export function parsePackageJson(text: string): PackageJson | undefined {
  try {
    return Object(JSON.parse(text.replace(/^\uFEFF/, ""))) as PackageJson;
  } catch {
    return undefined;
  }
}

const dependencyKinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The version or place of a package that a package.json depends on: `^1.0.0`, `file:../a.tgz`. */
export function dependencyIn(packageJson: PackageJson, name: string): unknown {
  return dependencyKinds
    .map((kind) => Object(packageJson[kind]) as PackageJson)
    .find((specs) => Object.hasOwn(specs, name))?.[name];
}
