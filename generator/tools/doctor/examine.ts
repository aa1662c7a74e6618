import { posix } from "node:path";

/** The facts that `examine` checks. Paths are relative to the folder of the configuration. */
export interface ProjectSetup {
  /** Version of Node.js: `20.20.2`. */
  readonly node: string;
  /** Version of the running ridlkit. `installed` is the version in the project, if any. */
  readonly version: string;
  readonly installed: string | undefined;
  readonly schemas: readonly SchemaSetup[];
  /** Text of the nearest package.json. `attributes` joins all .gitattributes files that apply. */
  readonly packageText: string | undefined;
  readonly attributes: string;
  readonly isInGit: boolean;
  /** The tsconfig.json that covers generated code, or several with project references. Empty without a tsconfig.json. */
  readonly configs: readonly CompilerConfig[];
  readonly imported: readonly ImportedPackage[];
}

export interface SchemaSetup {
  readonly entry: string;
  readonly exists: boolean;
  readonly out: string | undefined;
  readonly handlers: string | undefined;
  readonly hasHandlers: boolean;
  /** The states that `ridlkit check` would report, such as `stale` or `edited`. Empty if all files are up to date. */
  readonly outdated: readonly string[];
  /** Files that an earlier ridlkit run left behind: a lock, or a manifest in an old format. */
  readonly leftovers: readonly string[];
  readonly isIgnoredByGit: boolean;
  /** Whether imports between generated files end with ".ts". */
  readonly importsByTs: boolean;
}

/** The settings of a tsconfig.json that matter to generated code, including inherited settings. */
export interface CompilerConfig {
  /** `tsconfig.json`. */
  readonly path: string;
  /** Compiler errors in the tsconfig.json itself. */
  readonly errors: readonly string[];
  readonly hasInputs: boolean;
  /** Whether generated files are inputs, or are imported by inputs. */
  readonly coversGenerated: boolean;
  readonly allowsTsImports: boolean;
  readonly emits: boolean;
  /** The setting `module` in lower case. Undefined if it is not set: the default depends on the compiler version. */
  readonly module: string | undefined;
  readonly compileErrors: readonly string[];
}

/** A package that a file of the project imports. */
export interface ImportedPackage {
  /** `@types/node` represents all modules of Node.js. */
  readonly name: string;
  readonly importer: string;
  readonly isTypeOnly: boolean;
  readonly isInstalled: boolean;
  readonly hasTypes: boolean;
  readonly isInPackageJson: boolean;
}

/** `fault`: something does not work. `advice`: it works but can be improved. `fine`: nothing to do. */
export interface Finding {
  readonly level: "fault" | "advice" | "fine";
  readonly message: string;
  readonly remedy?: string;
}

/** Checks each part of a project setup. Every problem comes with a remedy. */
export function examine(setUp: ProjectSetup): readonly Finding[] {
  return [
    ...checkNode(setUp),
    ...checkVersions(setUp),
    ...setUp.schemas.flatMap(checkSchema),
    ...checkModules(setUp),
    ...checkCompiler(setUp),
    ...setUp.imported.flatMap((one) => checkPackage(one, setUp)),
    ...checkGit(setUp),
  ];
}

/** Minimum Node.js version of ridlkit and of generated code. Same as `engines` in package.json. */
const minNodeVersion = [20, 19] as const;

function checkNode({ node }: ProjectSetup): Finding[] {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > minNodeVersion[0] || (major === minNodeVersion[0] && minor >= minNodeVersion[1]))
    return [fine(`Node.js ${node}`)];
  return [fault(`Node.js ${node} is too old.`, `Install ${minNodeVersion.join(".")} or newer.`)];
}

function checkVersions({ version, installed }: ProjectSetup): Finding[] {
  if (installed === undefined)
    return [
      advice(
        `ridlkit ${version} is not among the project's packages.`,
        "npm install --save-dev ridlkit, so that everybody has the same version.",
      ),
    ];
  if (installed === version) return [fine(`ridlkit ${version}`)];
  return [
    fault(
      `This is ridlkit ${version}, and the project has ${installed} installed.`,
      "Run it as npx ridlkit in the project, or install the same version: they take turns in writing each other's files anew.",
    ),
  ];
}

function checkSchema(schema: SchemaSetup): Finding[] {
  const { entry, exists, out, handlers } = schema;
  if (!exists) return [fault(`The schema ${entry} does not exist.`, "Mend entry in the configuration.")];
  if (out === undefined)
    return [advice(`${entry} has no "out", so nothing is generated.`, 'Set "out" in the configuration.')];
  const found: Finding[] = [];
  if (schema.outdated.length > 0)
    found.push(
      fault(`${out} is not up to date: ${schema.outdated.join(", ")}.`, "npx ridlkit check says more."),
    );
  if (schema.isIgnoredByGit)
    found.push(
      advice(
        `${out} is ignored by Git.`,
        "Commit it, so that its changes are reviewed, or generate before each build.",
      ),
    );
  for (const path of schema.leftovers)
    found.push(advice(`${path} was left by an old or a killed run.`, "npx ridlkit generate takes it away."));
  if (handlers !== undefined && isInside(handlers, out))
    found.push(
      fault(
        `The handlers in ${handlers} lie among generated files.`,
        "Move them: nothing hand-written belongs there.",
      ),
    );
  if (handlers !== undefined && !schema.hasHandlers)
    found.push(advice(`There are no handlers in ${handlers}.`, "npx ridlkit scaffold writes them."));
  return found.length === 0 ? [fine(`${entry} → ${out}`)] : found;
}

export function isInside(path: string, folder: string): boolean {
  const relativePath = posix.relative(folder, path);
  return relativePath === "" || !relativePath.startsWith("..");
}

/** Checks that the compiler's module format matches the format that Node.js expects. Generated code works with both formats. */
function checkModules({ packageText, configs }: ProjectSetup): Finding[] {
  if (packageText === undefined)
    return [fault("There is no package.json.", 'npx ridlkit init makes one, with "type": "module".')];
  const { type, broken } = typeOf(packageText);
  if (broken) return [fault("package.json is no JSON.", "Mend it.")];
  const isEsm = type === "module";
  const wrong = configs.find(({ emits, module }) => emits && formOf(module) === (isEsm ? "commonjs" : "esm"));
  if (wrong === undefined) return [fine(`package.json: ${isEsm ? "modules" : "CommonJS"}`)];
  const { path, module } = wrong;
  if (isEsm)
    return [
      fault(
        `package.json says "type": "module", and ${path} writes CommonJS.`,
        `Set "module": "nodenext" in ${path}, or leave "type" out.`,
      ),
    ];
  const message = `${path} writes ECMAScript modules ("module": "${module}"), and package.json does not say "type": "module".`;
  const remedy = `Add "type": "module", or set "module": "nodenext" in ${path}.`;
  // Without "type", Node.js detects the format of each file and warns. With "type": "commonjs", it does not detect the format.
  return [type === undefined ? advice(message, remedy) : fault(message, remedy)];
}

/** The module format that the compiler writes. Undefined if the format depends on package.json. */
function formOf(module: string | undefined): "esm" | "commonjs" | undefined {
  if (module === undefined || /^node/.test(module)) return undefined;
  return /^(es|preserve)/.test(module) ? "esm" : "commonjs";
}

function typeOf(text: string): { readonly type?: unknown; readonly broken: boolean } {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, "")) as { readonly type?: unknown } | null;
    return { type: value?.type, broken: false };
  } catch {
    return { broken: true };
  }
}

function checkCompiler({ configs, schemas }: ProjectSetup): Finding[] {
  if (configs.length === 0)
    return [
      advice("There is no tsconfig.json.", "npx ridlkit init writes one that generated code compiles with."),
    ];
  return configs.flatMap((config) => {
    const found = checkTsconfig(config, schemas);
    return found.length === 0 ? [fine(config.path)] : found;
  });
}

/** Maximum number of errors shown for one tsconfig.json. The first errors usually cause the others. */
const compileErrorsShown = 3;

function checkTsconfig(config: CompilerConfig, schemas: readonly SchemaSetup[]): Finding[] {
  const { path, errors, hasInputs, coversGenerated, allowsTsImports, module, compileErrors } = config;
  if (errors.length > 0) return errors.map((error) => fault(`${path}: ${error}`, "Mend it."));
  const folders = schemas.flatMap(({ out, handlers }) => [handlers ?? [], out ?? []].flat());
  const include = `Set "include": ${JSON.stringify([...new Set(folders)])}.`;
  if (!hasInputs) return [fault(`${path} has no input files, so tsc compiles nothing.`, include)];
  const isGenerated = schemas.some(({ out, exists }) => out !== undefined && exists);
  if (!coversGenerated && isGenerated)
    return [advice(`${path} does not cover generated files, so tsc does not check them.`, include)];
  if (module !== undefined && /^(none|amd|umd|system)$/.test(module))
    return [
      fault(`${path} has module ${module}.`, 'Set "module": "nodenext", or "preserve" with a bundler.'),
    ];
  if (!allowsTsImports && coversGenerated && schemas.some(({ importsByTs }) => importsByTs))
    return [
      fault(
        `${path} allows no imports that end with ".ts", and generated code has them.`,
        'Set "allowImportingTsExtensions" with "noEmit", or "rewriteRelativeImportExtensions"; or set "importExtension" in the configuration of ridlkit to ".js", or "none" with a bundler.',
      ),
    ];
  if (compileErrors.length === 0) return [];
  const more = compileErrors.length - compileErrorsShown;
  const first = compileErrors.slice(0, compileErrorsShown).map((error) => error.replace(/[.]$/, ""));
  const shown = [...first, ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    fault(
      `Generated code does not compile with ${path}: ${shown.join("; ")}.`,
      'Set "target" to "es2017" and "lib" to "es2020", or newer. npx tsc shows everything.',
    ),
  ];
}

function checkPackage(imported: ImportedPackage, { configs }: ProjectSetup): Finding[] {
  const { name, importer, isTypeOnly, isInstalled, hasTypes, isInPackageJson } = imported;
  // Types only matter if the project has a tsconfig.json.
  if (isTypeOnly && configs.length === 0) return [];
  if (name === "@types/node")
    return isInstalled
      ? [
          fault(
            `tsconfig.json leaves out the types of Node.js, which ${importer} needs.`,
            'Add "node" to "types".',
          ),
        ]
      : [
          fault(
            `The types of Node.js are not installed, which ${importer} needs.`,
            "npm install --save-dev @types/node.",
          ),
        ];
  if (!isInstalled && !(isTypeOnly && hasTypes)) {
    const install = isInPackageJson ? "npm install." : `npm install ${name}.`;
    return [fault(`The package ${name} is not installed, and ${importer} imports it.`, install)];
  }
  if (!hasTypes && configs.length > 0)
    return [
      advice(
        `The package ${name} has no types, and ${importer} imports it.`,
        `npm install --save-dev ${typesOf(name)}.`,
      ),
    ];
  if (isTypeOnly || isInPackageJson) return [];
  return [
    advice(
      `package.json does not list ${name}, which ${importer} imports: it is there because another package needs it.`,
      `npm install ${name}.`,
    ),
  ];
}

/** `@scope/name` → `@types/scope__name`. */
function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, "").replace("/", "__")}`;
}

function checkGit({ isInGit, attributes, schemas }: ProjectSetup): Finding[] {
  if (!isInGit || schemas.every(({ out }) => out === undefined)) return [];
  const listed = [
    ".ridlkit.manifest",
    ...(schemas.some(({ hasHandlers }) => hasHandlers) ? [".ridlkit-handlers.json"] : []),
  ];
  const found = listed
    .filter((name) => !isMergedByLines(name, attributes))
    .map((name) =>
      advice(`Branches can have conflicts in ${name}.`, `Add "${name} merge=union" to .gitattributes.`),
    );
  if (!/^[^#\n]*\slinguist-generated/m.test(attributes))
    found.push(
      advice(
        "Reviews show generated files in full.",
        `Add "${schemas.find(({ out }) => out !== undefined)?.out}/** linguist-generated=true" to .gitattributes.`,
      ),
    );
  return found.length === 0 ? [fine(".gitattributes")] : found;
}

function isMergedByLines(name: string, attributes: string): boolean {
  const lines = attributes.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  return lines.some((line) => line.split(/\s/)[0]?.endsWith(name) && /\smerge=union/.test(line));
}

function fine(message: string): Finding {
  return { level: "fine", message };
}

function fault(message: string, remedy: string): Finding {
  return { level: "fault", message, remedy };
}

function advice(message: string, remedy: string): Finding {
  return { level: "advice", message, remedy };
}
