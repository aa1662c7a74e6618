/** How the functions of validators are declared: in TypeScript for files, or in JavaScript to run them at once. */
export interface Dialect {
  /** Returns the first line of a function. `parameters`: names and types. */
  function(name: string, parameters: Readonly<Record<string, string>>, returns: string): string;
  /** Returns `const NAME: TYPE`. */
  constant(name: string, type: string): string;
  /** Returns `let NAME: TYPE`. */
  variable(name: string, type: string): string;
}

export const typescript: Dialect = {
  function: (name, parameters, returns) => {
    const typed = Object.entries(parameters).map(([parameter, type]) => `${parameter}: ${type}`);
    return `function ${name}(${typed.join(", ")}): ${returns} {`;
  },
  constant: (name, type) => `const ${name}: ${type}`,
  variable: (name, type) => `let ${name}: ${type}`,
};

export const javascript: Dialect = {
  function: (name, parameters) => `function ${name}(${Object.keys(parameters).join(", ")}) {`,
  constant: (name) => `const ${name}`,
  variable: (name) => `let ${name}`,
};

/** Returns the first line of a function that returns the faults inside a value. */
export function faultsFunction(dialect: Dialect, name: string, takesDepth: boolean): string {
  const parameters = takesDepth ? { value: "unknown", depth: "number" } : { value: "unknown" };
  return dialect.function(name, parameters, faultsType);
}

/** Returns the declaration of the faults that a function collects. */
export function faultsVariable(dialect: Dialect): string {
  return `${dialect.variable("faults", faultsType)};`;
}

const faultsType = "v.Faults | undefined";
