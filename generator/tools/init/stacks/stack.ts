import type { AdapterName, ImportExtension } from "../../../codegen/options.ts";

/** A framework or runtime that `ridlkit init` sets a project up for. */
export interface Stack {
  /** Display name. */
  readonly title: string;
  /** Packages that identify the stack in an existing project. */
  readonly recognizedBy: readonly string[];
  /** Absent for a client project, which has no handlers. */
  readonly adapter?: AdapterName;
  readonly importExtension: ImportExtension;
  /** Whether package.json has `"type": "module"`. */
  readonly isModule: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Without ridlkit itself. */
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Content of tsconfig.json. */
  readonly compiler: object;
  /** Files of a new package, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are also added to an existing package, because the framework finds routes by their path. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Lines of .gitignore. */
  readonly ignored: readonly string[];
  /** The action that installs the program of `npm test` in a workflow. Absent for Node.js. */
  readonly setupAction?: string;
}
