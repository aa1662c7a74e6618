import type { ImportExtension } from "../../../codegen/emit/import-extension.ts";
import type { AdapterName } from "../../../codegen/plan/targets.ts";

/** A framework or runtime that `ridlkit init` sets a project up for. */
export interface Stack {
  /** As the help names it. */
  readonly title: string;
  /** Packages by which an existing project is recognized. */
  readonly recognizedBy: readonly string[];
  /** Absent: the project only calls the API, and has no handlers. */
  readonly adapter?: AdapterName;
  readonly importExtension: ImportExtension;
  /** Whether package.json has `"type": "module"`. */
  readonly isModule: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Apart from ridlkit itself. */
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Content of tsconfig.json. */
  readonly compiler: object;
  /** Files of a new package, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that an existing package gets as well, because the framework finds them by their path. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Lines of .gitignore. */
  readonly ignored: readonly string[];
}
