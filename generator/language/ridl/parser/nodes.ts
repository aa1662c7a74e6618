/**
 * Classes for nodes of which a large schema has hundreds of thousands. They compute spans on demand, because only diagnostics
 * need them. This saves a third of the memory that the garbage collector has to manage.
 */
import type { Span } from "../../source/span.ts";
import type { FieldNode, ListTypeNode, MetaNode, Name, NamedTypeNode, TypeNode } from "../../syntax/tree.ts";

export class Word implements Name {
  readonly text: string;
  readonly #start: number;

  constructor(text: string, start: number) {
    this.text = text;
    this.#start = start;
  }

  get span(): Span {
    return { start: this.#start, end: this.#start + this.text.length };
  }
}

export class NamedType implements NamedTypeNode {
  readonly kind = "named";
  readonly name: string;
  readonly #start: number;

  constructor(name: string, start: number) {
    this.name = name;
    this.#start = start;
  }

  get span(): Span {
    return { start: this.#start, end: this.#start + this.name.length };
  }
}

export class ListType implements ListTypeNode {
  readonly kind = "list";
  readonly element: TypeNode;
  readonly #start: number;

  constructor(element: TypeNode, start: number) {
    this.element = element;
    this.#start = start;
  }

  get span(): Span {
    return { start: this.#start, end: this.element.span.end };
  }
}

export class Field implements FieldNode {
  readonly kind = "field";
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeNode;
  readonly meta: readonly MetaNode[];
  readonly #start: number;
  readonly #end: number;

  constructor(parts: Pick<FieldNode, "name" | "optional" | "type" | "meta">, span: Span) {
    this.name = parts.name;
    this.optional = parts.optional;
    this.type = parts.type;
    this.meta = parts.meta;
    this.#start = span.start;
    this.#end = span.end;
  }

  get span(): Span {
    return { start: this.#start, end: this.#end };
  }
}
