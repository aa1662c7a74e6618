import { posix } from "node:path";
import { parsePackageJson } from "./package-json.ts";
import { runtimeName, runtimeToInstall } from "./runtime-package.ts";

/** Facts about a project. Paths are relative to the folder of the configuration. */
export interface ProjectSetup {
  /** Version of Node.js: `20.20.2`. */
  readonly node: string;
  /** Version of the running ridlkit, and of the one installed in the project. */
  readonly version: string;
  readonly installed: string | undefined;
  /** Version of ridlkit-runtime that generated code imports; undefined if it is not installed. */
  readonly runtime: string | undefined;
  readonly schemas: readonly SchemaSetup[];
  /** Text of the nearest package.json, and the concatenated .gitattributes of the folder and its parents. */
  readonly packageText: string | undefined;
  readonly attributes: string;
  readonly isInGit: boolean;
  /** The tsconfig.json that covers generated code, or several if it references others. Empty without a tsconfig.json. */
  readonly configs: readonly CompilerConfig[];
  readonly imported: readonly ImportedPackage[];
}

export interface SchemaSetup {
  readonly entry: string;
  readonly exists: boolean;
  readonly out: string | undefined;
  readonly handlers: string | undefined;
  readonly hasHandlers: boolean;
  /** The state of the generated files. `invalid`: the schema has errors. */
  readonly output: "current" | "outdated" | "unwritten" | "invalid";
  /** Path of the lock that a killed run left behind. */
  readonly leftLock: string | undefined;
  readonly isIgnoredByGit: boolean;
  /** Whether generated code imports copies of the runtime. */
  readonly copiesRuntime: boolean;
  /** Whether imports between generated files end with ".ts". */
  readonly importsEndWithTs: boolean;
}

/** The resolved settings of a tsconfig.json that affect generated code. */
export interface CompilerConfig {
  /** `tsconfig.json`. */
  readonly path: string;
  /** Errors in the file itself. */
  readonly errors: readonly string[];
  readonly hasInputs: boolean;
  /** The option "include"; empty if it is not set. */
  readonly include: readonly string[];
  /** Whether it compiles generated files, as inputs or through imports. */
  readonly coversGenerated: boolean;
  readonly allowsTsImports: boolean;
  /** Whether the compiler emits JavaScript. */
  readonly emits: boolean;
  /** The option "module" in lower case; undefined if it is not set. */
  readonly module: string | undefined;
  /** Compiler errors in generated files. */
  readonly compileErrors: readonly string[];
}

/** A package that a file of the project imports. */
export interface ImportedPackage {
  /** `@types/node` represents all modules of Node.js. */
  readonly name: string;
  /** The importing files, or modules of the runtime. The first imports values, if any does. */
  readonly importers: readonly string[];
  readonly isTypeOnly: boolean;
  readonly isInstalled: boolean;
  readonly hasTypes: boolean;
  /** Whether a package.json depends on it. */
  readonly isInPackageJson: boolean;
}

/** `error`: something does not work. `warning`: something could be better. */
export interface DoctorFinding {
  readonly level: "error" | "warning" | "ok";
  readonly message: string;
  readonly help?: string;
}

/** Checks each part of a project's setup. Each problem comes with a way to solve it. */
export function examine(setup: ProjectSetup): readonly DoctorFinding[] {
  return [
    ...checkNode(setup),
    ...checkVersions(setup),
    ...checkRuntime(setup),
    ...setup.schemas.flatMap(checkSchema),
    ...checkModules(setup),
    ...checkCompiler(setup),
    ...setup.imported.flatMap((one) => checkPackage(one, setup)),
    ...checkGit(setup),
  ];
}

/** Lowest supported version of Node.js, as in `engines` of package.json. */
const minNodeVersion = [20, 19] as const;

function checkNode({ node }: ProjectSetup): DoctorFinding[] {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > minNodeVersion[0] || (major === minNodeVersion[0] && minor >= minNodeVersion[1]))
    return [fine(`Node.js ${node}`)];
  return [fault(`Node.js ${node} is too old.`, `Install Node.js ${minNodeVersion.join(".")} or newer.`)];
}

function checkVersions({ version, installed }: ProjectSetup): DoctorFinding[] {
  if (installed === undefined)
    return [
      advice(
        `ridlkit ${version} is not installed in the project.`,
        "Run npm install --save-dev ridlkit, so that everyone uses the same version.",
      ),
    ];
  if (installed === version) return [fine(`ridlkit ${version}`)];
  return [
    fault(
      `This is ridlkit ${version}, but the project has ${installed} installed.`,
      "Use npx ridlkit in the project, or install the same version. Different versions rewrite each other's files.",
    ),
  ];
}

function importsRuntime({ imported, schemas }: ProjectSetup): boolean {
  return imported.some(({ name }) => name === runtimeName) && !hasCopiesOnly(schemas);
}

function hasCopiesOnly(schemas: readonly SchemaSetup[]): boolean {
  return schemas.length > 0 && schemas.every(({ copiesRuntime }) => copiesRuntime);
}

/** A missing runtime is reported like any other missing package. */
function checkRuntime(setup: ProjectSetup): DoctorFinding[] {
  const { version, runtime, packageText } = setup;
  if (runtime === undefined || !importsRuntime(setup)) return [];
  if (runtime === version) return [fine(`${runtimeName} ${runtime}`)];
  return [
    fault(
      `This is ridlkit ${version}, but generated code imports ${runtimeName} ${runtime}.`,
      `Run npm install ${runtimeToInstall(version, packageText)}.`,
    ),
  ];
}

function checkSchema(schema: SchemaSetup): DoctorFinding[] {
  const { entry, exists, out, handlers } = schema;
  if (!exists) return [fault(`The schema ${entry} does not exist.`, 'Correct "entry" in the configuration.')];
  if (out === undefined)
    return [
      advice(`${entry} has no output folder, so nothing is generated.`, 'Set "out" in the configuration.'),
    ];
  const found: DoctorFinding[] = [];
  if (schema.output === "unwritten")
    found.push(fault(`${out} was not generated yet.`, "Run npx ridlkit generate."));
  if (schema.output === "outdated")
    found.push(fault(`${out} is out of date.`, "Run npx ridlkit check for details."));
  if (schema.output === "invalid")
    found.push(fault(`No code can be generated from ${entry}.`, "Run npx ridlkit generate for details."));
  if (schema.isIgnoredByGit)
    found.push(
      advice(
        `${out} is ignored by Git.`,
        "Commit the folder, so that changes can be reviewed, or generate before each build.",
      ),
    );
  if (schema.leftLock !== undefined)
    found.push(
      advice(`${schema.leftLock} was left behind by a killed run.`, "Run npx ridlkit generate to remove it."),
    );
  if (handlers !== undefined && isInside(handlers, out))
    found.push(
      fault(
        `The handlers in ${handlers} are inside the folder of generated files.`,
        "Move them to another folder.",
      ),
    );
  if (handlers !== undefined && !schema.hasHandlers)
    found.push(advice(`There are no handlers in ${handlers}.`, "Run npx ridlkit scaffold to create them."));
  return found.length === 0 ? [fine(`${entry} → ${out}`)] : found;
}

export function isInside(path: string, folder: string): boolean {
  const relativePath = posix.relative(folder, path);
  return relativePath === "" || !relativePath.startsWith("..");
}

/** Generated code works as ECMAScript modules and as CommonJS. The emitted format must match what Node.js expects. */
function checkModules({ packageText, configs }: ProjectSetup): DoctorFinding[] {
  if (packageText === undefined)
    return [fault("There is no package.json.", 'Run npx ridlkit init to create one, with "type": "module".')];
  const packageJson = parsePackageJson(packageText);
  if (packageJson === undefined) return [fault("package.json is not valid JSON.", "Correct the file.")];
  const { type } = packageJson;
  const isEsm = type === "module";
  const wrong = configs.find(({ emits, module }) => emits && formOf(module) === (isEsm ? "commonjs" : "esm"));
  if (wrong === undefined) return [fine(`package.json: ${isEsm ? '"type": "module"' : "CommonJS"}`)];
  const { path, module } = wrong;
  if (isEsm)
    return [
      fault(
        `package.json has "type": "module", but ${path} emits CommonJS.`,
        `Set "module": "nodenext" in ${path}, or remove "type".`,
      ),
    ];
  const message = `${path} emits ECMAScript modules ("module": "${module}"), but package.json does not have "type": "module".`;
  const help = `Add "type": "module", or set "module": "nodenext" in ${path}.`;
  // Without "type", Node.js detects the format and warns. With "type": "commonjs" it fails.
  return [type === undefined ? advice(message, help) : fault(message, help)];
}

/** The emitted format; undefined if it follows package.json. */
function formOf(module: string | undefined): "esm" | "commonjs" | undefined {
  if (module === undefined || /^node/.test(module)) return undefined;
  return /^(es|preserve)/.test(module) ? "esm" : "commonjs";
}

/** Whether other packages import the TypeScript of this one. */
function exportsSources(packageText: string): boolean {
  return /(?<![.]d)[.]ts"/.test(JSON.stringify(parsePackageJson(packageText)?.["exports"]) ?? "");
}

function checkCompiler(setup: ProjectSetup): DoctorFinding[] {
  const { configs, schemas, packageText, runtime, version } = setup;
  // Packages that import the sources of this one compile them.
  if (configs.length === 0 && packageText !== undefined && exportsSources(packageText)) return [];
  if (configs.length === 0)
    return [advice("There is no tsconfig.json.", "Run npx ridlkit init to create one for generated code.")];
  // Generated code does not compile with another runtime, whatever the options are.
  const isComparable = runtime === version || !importsRuntime(setup);
  return configs.flatMap((config) => {
    const found = checkTsconfig(isComparable ? config : { ...config, compileErrors: [] }, schemas);
    return found.length === 0 && isComparable ? [fine(config.path)] : found;
  });
}

/** Maximum number of compiler errors shown for a tsconfig.json. The first errors usually cause the others. */
const compileErrorsShown = 3;

function checkTsconfig(config: CompilerConfig, schemas: readonly SchemaSetup[]): DoctorFinding[] {
  const { path, errors, hasInputs, include, coversGenerated, allowsTsImports, module, compileErrors } =
    config;
  if (errors.length > 0) return errors.map((error) => fault(`${path}: ${error}`, "Correct the file."));
  const folders = schemas.flatMap(({ out, handlers }) => [handlers ?? [], out ?? []].flat());
  const setInclude = `Set "include": ${JSON.stringify([...new Set([...include, ...folders])])}.`;
  if (!hasInputs) return [fault(`${path} has no input files, so tsc compiles nothing.`, setInclude)];
  const isGenerated = schemas.some(
    (schema) => schema.out !== undefined && schema.exists && schema.output !== "unwritten",
  );
  if (!coversGenerated && isGenerated)
    return [advice(`${path} does not include generated files, so tsc does not check them.`, setInclude)];
  if (module !== undefined && /^(none|amd|umd|system)$/.test(module))
    return [
      fault(
        `${path} has the unsupported "module": "${module}".`,
        'Set "module": "nodenext", or "preserve" with a bundler.',
      ),
    ];
  if (!allowsTsImports && coversGenerated && schemas.some(({ importsEndWithTs }) => importsEndWithTs))
    return [
      fault(
        `${path} does not allow imports that end with ".ts", but generated code has them.`,
        'Set "allowImportingTsExtensions" and "noEmit", or "rewriteRelativeImportExtensions". Or set "importExtension" in the configuration of ridlkit to ".js", or to "none" with a bundler.',
      ),
    ];
  if (compileErrors.length === 0) return [];
  const more = compileErrors.length - compileErrorsShown;
  const first = compileErrors.slice(0, compileErrorsShown).map((error) => error.replace(/[.]$/, ""));
  const shown = [...first, ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    fault(
      `Generated code does not compile with ${path}: ${shown.join("; ")}.`,
      'Set "target" to "es2017" and "lib" to "es2020", or newer. Run npx tsc for all errors.',
    ),
  ];
}

function checkPackage(
  imported: ImportedPackage,
  { configs, version, packageText, schemas }: ProjectSetup,
): DoctorFinding[] {
  const { name, importers, isTypeOnly, isInstalled, hasTypes, isInPackageJson } = imported;
  const [importer = ""] = importers;
  if (name === runtimeName && hasCopiesOnly(schemas))
    return [
      fault(
        `Generated code has copies of the runtime, but ${importers.join(", ")} ${importers.length === 1 ? "imports" : "import"} ${name}.`,
        `Import the copies, such as ${schemas.find(({ out }) => out !== undefined)?.out}/runtime/client.ts.`,
      ),
    ];
  // Without a tsconfig.json, missing types do not matter.
  if (isTypeOnly && configs.length === 0) return [];
  if (name === "@types/node")
    return isInstalled
      ? [
          fault(
            `tsconfig.json excludes the types of Node.js, which ${importer} needs.`,
            'Add "node" to "types".',
          ),
        ]
      : [
          fault(
            `The types of Node.js are not installed, which ${importer} needs.`,
            "Run npm install --save-dev @types/node.",
          ),
        ];
  if (!isInstalled && !(isTypeOnly && hasTypes)) {
    const wanted = name === runtimeName ? runtimeToInstall(version, packageText) : name;
    const install = isInPackageJson ? "Run npm install." : `Run npm install ${wanted}.`;
    return [fault(`The package ${name} is not installed, but ${importer} imports it.`, install)];
  }
  if (!hasTypes && configs.length > 0)
    return [
      advice(
        `The package ${name} has no types, but ${importer} imports it.`,
        `Run npm install --save-dev ${typesOf(name)}.`,
      ),
    ];
  if (isTypeOnly || isInPackageJson) return [];
  return [
    advice(
      `package.json does not list ${name}, which ${importer} imports. It is only installed because another package needs it.`,
      `Run npm install ${name}.`,
    ),
  ];
}

/** `@scope/name` → `@types/scope__name`. */
function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, "").replace("/", "__")}`;
}

function checkGit({ isInGit, attributes, schemas }: ProjectSetup): DoctorFinding[] {
  if (!isInGit || schemas.every(({ out }) => out === undefined)) return [];
  const listed = [
    ".ridlkit.manifest",
    ...(schemas.some(({ hasHandlers }) => hasHandlers) ? [".ridlkit-handlers.json"] : []),
  ];
  const found = listed
    .filter((name) => !isMergedByLines(name, attributes))
    .map((name) =>
      advice(`${name} can cause merge conflicts.`, `Add "${name} merge=union" to .gitattributes.`),
    );
  const copying = schemas.find(({ out, copiesRuntime }) => copiesRuntime && out !== undefined);
  if (copying !== undefined && !/^[^#\n]*\slinguist-(generated|vendored)/m.test(attributes))
    found.push(
      advice(
        "Pull requests show the diffs of the copied runtime.",
        `Add "${copying.out}/runtime/** linguist-generated linguist-vendored" to .gitattributes.`,
      ),
    );
  return found.length === 0 ? [fine(".gitattributes")] : found;
}

function isMergedByLines(name: string, attributes: string): boolean {
  const lines = attributes.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  return lines.some((line) => line.split(/\s/)[0]?.endsWith(name) && /\smerge=union/.test(line));
}

function fine(message: string): DoctorFinding {
  return { level: "ok", message };
}

function fault(message: string, help: string): DoctorFinding {
  return { level: "error", message, help };
}

function advice(message: string, help: string): DoctorFinding {
  return { level: "warning", message, help };
}
