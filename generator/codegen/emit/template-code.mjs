// Compiles a built-in template to JavaScript. Handlebars parses it, so built-in and custom templates have the same
// syntax. Features that built-in templates do not use (partials, helpers, data variables) are rejected.
import Handlebars from "handlebars";

/**
 * Compiles ``{{#each pets}}{{name}};{{/each}}`` to a function that appends `${pet.name};` for each pet. The function
 * takes the view, `missing` for missing values (`missingValue` of `render.ts`), and `isTrue` for conditions (`isTruthy`).
 */
export function templateCode(text) {
  return `(view0, missing, isTrue) => {\nlet out = "";\n${statements(Handlebars.parse(text), 0)}return out;\n}`;
}

/** `level` is the number of enclosing `each` blocks. `viewN` is the value of `this` in the Nth. */
function statements({ body }, level) {
  let code = "";
  let line = "";
  for (const node of body) {
    if (node.type === "ContentStatement") line += node.value.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
    else if (node.type === "MustacheStatement") line += `\${${read(node, node.path, level)}}`;
    else {
      code += `${append(line)}${block(node, level)}`;
      line = "";
    }
  }
  return code + append(line);
}

function append(line) {
  return line === "" ? "" : `out += \`${line}\`;\n`;
}

function block(node, level) {
  if (node.type !== "BlockStatement" || node.params.length !== 1) throw unsupported(node);
  const { path, params, program, inverse } = node;
  const value = read({ ...node, params: [] }, params[0], level);
  if (path.original === "if") {
    const otherwise = inverse ? ` else {\n${statements(inverse, level)}}` : "";
    return `if (isTrue(${value})) {\n${statements(program, level)}}${otherwise}\n`;
  }
  if (path.original !== "each" || inverse) throw unsupported(node);
  return `for (const view${level + 1} of ${value}) {\n${statements(program, level + 1)}}\n`;
}

/** Compiles `{{../name}}` in one `each` to `view0["name"] ?? missing(view0, "name")`. */
function read(node, { type, data, depth, parts }, level) {
  if (type !== "PathExpression" || data || depth > level || node.params.length > 0 || node.hash)
    throw unsupported(node);
  return parts
    .map((part) => JSON.stringify(part))
    .reduce((value, key) => `(${value}[${key}] ?? missing(${value}, ${key}))`, `view${level - depth}`);
}

function unsupported({ type, loc }) {
  return new Error(`line ${loc.start.line}: built-in templates cannot use this ${type}`);
}
