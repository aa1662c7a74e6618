/**
 * Models of the nodes that a large schema has by the thousand. Properties that not every stage needs are computed on first
 * access: comparing two versions looks at few of them. Classes are used because V8 allocates a hidden class for each object with
 * its own getter.
 */
import type { Location } from "../diagnostics/diagnostic.ts";
import { type Documented, docsOf } from "../syntax/docs.ts";
import type {
  AliasNode,
  ArgumentNode,
  ArgumentsNode,
  EnumNode,
  EnumValueNode,
  FieldNode,
  MetaNode,
  MethodNode,
  SchemaFile,
  StructNode,
} from "../syntax/tree.ts";
import { fileForm, isFileOutput } from "./files.ts";
import { listedErrors } from "./listed-errors.ts";
import { readConstraints, readOtherNames } from "./meta/read.ts";
import type {
  AliasModel,
  ArgumentModel,
  EnumModel,
  EnumValueModel,
  FieldModel,
  FileModel,
  MetaModel,
  MethodModel,
  PayloadModel,
  StructModel,
} from "./model.ts";
import { foldCase } from "./names.ts";
import { resolveType } from "./resolve.ts";
import { enumValueOf } from "./rules/enum-values.ts";
import { wireNameOf } from "./rules/json-names.ts";
import type { Scope } from "./scope.ts";

abstract class LazyModel<Node extends Documented & { readonly span: Location["span"] }> {
  protected readonly node: Node;
  protected readonly file: SchemaFile;
  #docs: readonly string[] | undefined;

  constructor(node: Node, file: SchemaFile) {
    this.node = node;
    this.file = file;
  }

  get docs(): readonly string[] {
    this.#docs ??= docsOf(this.file, this.node);
    return this.#docs;
  }

  get at(): Location {
    return { file: this.file.source, span: this.node.span };
  }
}

export class Struct extends LazyModel<StructNode> implements StructModel {
  readonly kind = "struct";
  readonly #scope: Scope;
  #fields: readonly FieldModel[] | undefined;

  constructor(node: StructNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    this.#scope = scope;
  }

  get name(): string {
    return this.node.name.text;
  }

  get fields(): readonly FieldModel[] {
    this.#fields ??= this.node.fields.map((field) => new Field(field, this.file, this.#scope));
    return this.#fields;
  }
}

class Field extends LazyModel<FieldNode> implements FieldModel {
  readonly wireName: string | undefined;
  readonly type: FieldModel["type"];
  readonly constraints: FieldModel["constraints"];
  readonly aliases: readonly string[];
  readonly twins: readonly string[];

  constructor(node: FieldNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    const { aliases, twins } = readOtherNames(node.meta);
    this.wireName = wireNameOf(node);
    this.type = resolveType(node.type, scope);
    this.constraints = readConstraints(node.meta, node.type, scope);
    this.aliases = aliases;
    this.twins = twins;
  }

  get name(): string {
    return this.node.name.text;
  }

  get optional(): boolean {
    return this.node.optional;
  }

  get meta(): readonly MetaModel[] {
    return metaOf(this.node.meta);
  }
}

export class Enum extends LazyModel<EnumNode> implements EnumModel {
  readonly kind = "enum";
  #values: readonly EnumValueModel[] | undefined;

  get name(): string {
    return this.node.name.text;
  }

  get base(): EnumModel["base"] {
    return this.node.base.text as EnumModel["base"];
  }

  get values(): readonly EnumValueModel[] {
    this.#values ??= this.node.values.map((_, index) => new EnumValue(this.node, index, this.file));
    return this.#values;
  }
}

class EnumValue extends LazyModel<EnumValueNode> implements EnumValueModel {
  readonly value: string;
  readonly wire: string;

  constructor(type: EnumNode, index: number, file: SchemaFile) {
    super(type.values[index] as EnumValueNode, file);
    this.value = enumValueOf(type, index);
    this.wire = type.base.text === "string" ? this.value : this.name;
  }

  get name(): string {
    return this.node.name.text;
  }
}

export class Alias extends LazyModel<AliasNode> implements AliasModel {
  readonly kind = "alias";
  readonly type: AliasModel["type"];
  readonly constraints: AliasModel["constraints"];

  constructor(node: AliasNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    this.type = resolveType(node.type, scope);
    this.constraints = readConstraints(node.meta, node.type, scope);
  }

  get name(): string {
    return this.node.name.text;
  }

  get meta(): readonly MetaModel[] {
    return metaOf(this.node.meta);
  }
}

function metaOf(meta: readonly MetaNode[]): readonly MetaModel[] {
  return meta.map(({ key, value }) => ({ key: key.text, value: value.value }));
}

export class Method extends LazyModel<MethodNode> implements MethodModel {
  readonly annotations: MethodModel["annotations"];
  readonly input: PayloadModel;
  readonly output: PayloadModel;
  readonly files: readonly FileModel[];
  readonly fileOutput: boolean;
  readonly errors: readonly string[] | undefined;

  constructor(node: MethodNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    const { annotations, input, output } = node;
    this.annotations = annotations.map(({ name, value }) => ({ name: name.text, value: value?.value }));
    this.fileOutput = isFileOutput(output, scope);
    this.input = payloadOf(input, scope);
    this.output = this.fileOutput ? noFields : payloadOf(output, scope);
    this.files = filesOf(input);
    this.errors = listedErrors(node);
  }

  get name(): string {
    return this.node.name.text;
  }

  get streamInput(): boolean {
    return this.node.input.stream;
  }

  get streamOutput(): boolean {
    return this.node.output.stream;
  }

  get proxy(): boolean {
    return this.node.proxy;
  }
}

function payloadOf({ succinct, list }: ArgumentsNode, scope: Scope): PayloadModel {
  if (succinct === undefined) {
    const fields = list.filter(({ type }) => fileForm(type) === undefined);
    return { kind: "arguments", arguments: fields.map((argument) => argumentOf(argument, scope)) };
  }
  const found = scope.typeByFoldedName.get(foldCase(succinct.text));
  return { kind: "struct", name: found?.node.name.text ?? succinct.text };
}

const noFields: PayloadModel = { kind: "arguments", arguments: [] };

function filesOf({ list }: ArgumentsNode): FileModel[] {
  return list.flatMap(({ name, optional, type }) => {
    const form = fileForm(type);
    return form === undefined ? [] : [{ name: name.text, optional, isList: form === "list" }];
  });
}

const noMeta: readonly MetaNode[] = [];

function argumentOf({ name, optional, type }: ArgumentNode, scope: Scope): ArgumentModel {
  return {
    name: name.text,
    optional,
    type: resolveType(type, scope),
    constraints: readConstraints(noMeta, type, scope),
  };
}
