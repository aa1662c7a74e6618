// A template of ours as the code of a function, so that printing runs no interpreter. The text is taken apart by Handlebars itself:
// it means here what it means in a user's folder. What our templates do without (partials, helpers, data variables) is refused.
import Handlebars from "handlebars";

/**
 * ``{{#each pets}}{{name}};{{/each}}`` → a function that adds `${pet.name};` for each pet. Beside the view it takes `absent`, which
 * answers for what a view has not, and `holds`, which says whether an `if` is true.
 */
export function templateCode(text) {
  return `(view0, absent, holds) => {\nlet out = "";\n${statements(Handlebars.parse(text), 0)}return out;\n}`;
}

/** `level`: how many `each` the statements are inside of; `viewN` is what the name `this` stands for in the Nth. */
function statements({ body }, level) {
  let code = "";
  let line = "";
  for (const node of body) {
    if (node.type === "ContentStatement") line += node.value.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
    else if (node.type === "MustacheStatement") line += `\${${read(node, node.path, level)}}`;
    else {
      code += `${added(line)}${block(node, level)}`;
      line = "";
    }
  }
  return code + added(line);
}

function added(line) {
  return line === "" ? "" : `out += \`${line}\`;\n`;
}

function block(node, level) {
  if (node.type !== "BlockStatement" || node.params.length !== 1) throw refused(node);
  const { path, params, program, inverse } = node;
  const value = read({ ...node, params: [] }, params[0], level);
  if (path.original === "if") {
    const otherwise = inverse ? ` else {\n${statements(inverse, level)}}` : "";
    return `if (holds(${value})) {\n${statements(program, level)}}${otherwise}\n`;
  }
  if (path.original !== "each" || inverse) throw refused(node);
  return `for (const view${level + 1} of ${value}) {\n${statements(program, level + 1)}}\n`;
}

/** `{{../name}}` in one `each` → `view0["name"] ?? absent(view0, "name")`. */
function read(node, { type, data, depth, parts }, level) {
  if (type !== "PathExpression" || data || depth > level || node.params.length > 0 || node.hash)
    throw refused(node);
  return parts
    .map((part) => JSON.stringify(part))
    .reduce((value, key) => `(${value}[${key}] ?? absent(${value}, ${key}))`, `view${level - depth}`);
}

function refused({ type, loc }) {
  return new Error(`line ${loc.start.line}: our templates have no ${type} such as this`);
}
