import { posix } from "node:path";

/** What is known of a set-up. Paths are from the folder of the configuration. */
export interface SetUp {
  /** Of Node.js: `20.20.2`. */
  readonly node: string;
  /** Of the ridlkit that runs, and of one that the project has installed, where there is one. */
  readonly version: string;
  readonly installed: string | undefined;
  readonly schemas: readonly SetUpSchema[];
  /** Text of the nearest package.json and of the .gitattributes that count here, one after the other. */
  readonly packageText: string | undefined;
  readonly attributes: string;
  readonly isInGit: boolean;
  /** Options of the compiler with all that is inherited; undefined without a tsconfig.json, a text where it cannot be read. */
  readonly compiler: CompilerOptions | string | undefined;
}

export interface SetUpSchema {
  readonly entry: string;
  readonly isThere: boolean;
  readonly out: string | undefined;
  readonly handlers: string | undefined;
  readonly hasHandlers: boolean;
  /** What `ridlkit check` would say: `stale`, `edited`; empty if the files are up to date. */
  readonly outdated: readonly string[];
  /** Files of ours that a run left behind: a lock, a manifest of an old form. */
  readonly leftovers: readonly string[];
  readonly isIgnoredByGit: boolean;
}

/** As far as generated code depends on them; names as in tsconfig.json, in lower case. */
export interface CompilerOptions {
  readonly allowsTsImports: boolean;
  readonly module: string;
  readonly target: string;
}

/** `fault`: something does not work. `advice`: it works, and would work better. */
export interface Finding {
  readonly level: "fault" | "advice" | "fine";
  readonly message: string;
  readonly remedy?: string;
}

/** Says of each part of a set-up whether it is well, and of what is not, what to do. */
export function examine(setUp: SetUp): readonly Finding[] {
  return [
    ...ofNode(setUp),
    ...ofVersions(setUp),
    ...setUp.schemas.flatMap(ofSchema),
    ...ofModules(setUp),
    ...ofCompiler(setUp),
    ...ofGit(setUp),
  ];
}

/** Lowest version of Node.js that ridlkit and generated code run on: `engines` of package.json. */
const lowest = [20, 19] as const;

function ofNode({ node }: SetUp): Finding[] {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > lowest[0] || (major === lowest[0] && minor >= lowest[1])) return [fine(`Node.js ${node}`)];
  return [fault(`Node.js ${node} is too old.`, `Install ${lowest.join(".")} or newer.`)];
}

function ofVersions({ version, installed }: SetUp): Finding[] {
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

function ofSchema(schema: SetUpSchema): Finding[] {
  const { entry, isThere, out, handlers } = schema;
  if (!isThere) return [fault(`The schema ${entry} does not exist.`, "Mend entry in the configuration.")];
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

function isInside(path: string, folder: string): boolean {
  const way = posix.relative(folder, path);
  return way === "" || !way.startsWith("..");
}

/** Generated code is made of modules that import each other by names with ".ts". */
function ofModules({ packageText, compiler }: SetUp): Finding[] {
  if (packageText === undefined)
    return [fault("There is no package.json.", 'npx ridlkit init makes one; it needs "type": "module".')];
  const { type, broken } = typeOf(packageText);
  if (broken) return [fault("package.json is no JSON.", "Mend it.")];
  if (type === "module") return [fine("package.json: modules")];
  const bundled = typeof compiler === "object" && /^(es|preserve)/.test(compiler.module);
  if (bundled) return [];
  return [
    fault(
      'package.json does not say "type": "module".',
      "Add it: generated code is made of ECMAScript modules.",
    ),
  ];
}

function typeOf(text: string): { readonly type?: unknown; readonly broken: boolean } {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, "")) as { readonly type?: unknown } | null;
    return { type: value?.type, broken: false };
  } catch {
    return { broken: true };
  }
}

function ofCompiler({ compiler }: SetUp): Finding[] {
  if (compiler === undefined)
    return [
      advice("There is no tsconfig.json.", "npx ridlkit init writes one that generated code compiles with."),
    ];
  if (typeof compiler === "string") return [fault(`tsconfig.json: ${compiler}`, "Mend it.")];
  const found: Finding[] = [];
  if (!compiler.allowsTsImports)
    found.push(
      fault(
        'tsconfig.json allows no imports that end with ".ts", and generated code has them.',
        'Set "allowImportingTsExtensions" with "noEmit", or "rewriteRelativeImportExtensions".',
      ),
    );
  if (!/^(node16|node18|node20|nodenext|es2022|esnext|preserve)$/.test(compiler.module))
    found.push(
      fault(
        `tsconfig.json has module ${compiler.module}.`,
        'Set "module": "nodenext", or "preserve" with a bundler.',
      ),
    );
  if (!/^(es20(2[2-9]|[3-9]\d)|esnext)$/.test(compiler.target))
    found.push(fault(`tsconfig.json has target ${compiler.target}.`, 'Set "target": "es2022" or newer.'));
  return found.length === 0 ? [fine("tsconfig.json")] : found;
}

function ofGit({ isInGit, attributes, schemas }: SetUp): Finding[] {
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
