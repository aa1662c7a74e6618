import type { Random } from "../support/random.ts";

/** An IR JSON text with `changes` mutations: letter case, nulls, duplicate and missing keys, values of another kind. */
export function mutateIr(random: Random, ir: string, changes: number): string {
  const root = toTree(JSON.parse(ir));
  for (let change = 0; change < changes; change++) changeSomewhere(random, root);
  return print(root);
}

/** JSON that can have duplicate keys, and invalid JSON. */
type Tree =
  | { kind: "object"; entries: [key: string, value: Tree][] }
  | { kind: "array"; items: Tree[] }
  | { kind: "raw"; text: string };

function toTree(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: "array", items: value.map(toTree) };
  if (typeof value === "object" && value !== null) {
    return { kind: "object", entries: Object.entries(value).map(([key, item]) => [key, toTree(item)]) };
  }
  return { kind: "raw", text: JSON.stringify(value) };
}

function print(tree: Tree): string {
  if (tree.kind === "raw") return tree.text;
  if (tree.kind === "array") return `[${tree.items.map(print).join(",")}]`;
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${print(value)}`).join(",")}}`;
}

function changeSomewhere(random: Random, root: Tree): void {
  const objects: Extract<Tree, { kind: "object" }>[] = [];
  const arrays: Extract<Tree, { kind: "array" }>[] = [];
  collect(root);
  if (arrays.length > 0 && random.chance(15)) {
    const { items } = random.pick(arrays);
    if (items.length > 0 && random.chance(50)) items.push(copy(random.pick(items)));
    else items.splice(random.below(items.length + 1), 0, { kind: "raw", text: random.pick(values) });
    return;
  }
  const { entries } = random.pick(objects);
  if (entries.length === 0 || random.chance(15)) {
    entries.splice(random.below(entries.length + 1), 0, [
      random.pick(keys),
      { kind: "raw", text: random.pick(values) },
    ]);
    return;
  }
  const at = random.below(entries.length);
  const entry = entries[at] as [string, Tree];
  const change = random.below(6);
  if (change === 0) entries.splice(at, 1);
  else if (change === 1) entries.push([recase(random, entry[0]), copy(entry[1])]);
  else if (change === 2) entry[0] = recase(random, entry[0]);
  else if (change === 3 && entry[1].kind === "raw")
    entry[1] = { kind: "raw", text: respell(random, entry[1].text) };
  else entry[1] = { kind: "raw", text: random.pick(values) };

  function collect(tree: Tree): void {
    if (tree.kind === "object") {
      objects.push(tree);
      for (const [, value] of tree.entries) collect(value);
    } else if (tree.kind === "array") {
      arrays.push(tree);
      tree.items.forEach(collect);
    }
  }
}

function copy(tree: Tree): Tree {
  return structuredClone(tree);
}

function recase(random: Random, key: string): string {
  const at = random.below(key.length);
  return random.pick([
    key,
    key.toUpperCase(),
    key.slice(0, at) + key.slice(at, at + 1).toUpperCase() + key.slice(at + 1),
    // Go folds these two letters to "s" and "k".
    key.replace("s", "\u017f").replace("k", "\u212a"),
  ]);
}

/** The same or nearly the same text in another spelling: `"ab"` → `"\u0061b"`. */
function respell(random: Random, text: string): string {
  if (!text.startsWith('"') || text.length < 3)
    return random.pick([`${text}.0`, `${text}e0`, `"${text}"`, `-${text}`]);
  const inner = text.slice(1, -1);
  const first = inner.charCodeAt(0).toString(16).padStart(4, "0");
  return random.pick([
    `"\\u${first}${inner.slice(1)}"`,
    `"${inner.toUpperCase()}"`,
    `"${inner.toLowerCase()}"`,
    `"É${inner}"`,
    `" ${inner}"`,
    `"${inner} "`,
    `"[]${inner}"`,
    `"map<string,${inner}>"`,
    `"map<${inner},int>"`,
    `"${inner}\\/x"`,
  ]);
}

const keys: readonly string[] = (
  "webrpc name version basepath types errors services kind type fields optional value meta comments code message " +
  "httpStatus methods annotations annotationType succinct streamInput streamOutput inputs outputs json other"
).split(" ");

const values: readonly string[] = [
  "null", "true", "false", "0", "1", "-1", "400", "2147483648", "1e2", "1.5", "9223372036854775808", '""', '"a"', '"A"',
  '"User"', '"v1"', '"string"', '"int"', '"enum"', '"struct"', '"alias"', '"[]User"', '"map<string,int>"', '"map<int>"',
  '"é"', '"É"', '"\\u00e9"', '"a\\nb"', '"\\ud800"', "[]", "{}", "[null]", "[{}]", '["a"]', '[{"json":"x"}]', '[{"json":5}]',
  '[{"a":{"b":[1,2.50,null]},"B":1e400}]', '[{"z":1,"a":"2"}]', '[{"<&>":"\u2028"}]', '{"x":null}', '{"x":{"annotationType":"x","value":"y"}}',
  "nul", "01", "'a'", '{"a":1,}',
]; // biome-ignore format: a table reads better than a column
