import type { ImportExtension } from "../../../codegen/emit/import-extension.ts";
import type { AdapterName } from "../../../codegen/plan/targets.ts";

/** A framework or runtime that `ridlkit init` sets a project up for. */
export interface Stack {
  readonly title: string;
  /** Packages that identify an existing project of this stack. */
  readonly recognizedBy: readonly string[];
  /** Undefined for client-only projects, which have no handlers. */
  readonly adapter?: AdapterName;
  readonly importExtension: ImportExtension;
  /** Whether package.json has `"type": "module"`. */
  readonly isModule: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Without ridlkit, which every project gets. */
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Content of tsconfig.json. */
  readonly compiler: object;
  /** Files of a new package, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are added to existing packages too, because the framework finds them by their path. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Lines of .gitignore. */
  readonly ignored: readonly string[];
}
