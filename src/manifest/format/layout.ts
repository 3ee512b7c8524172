/** Lines above or inside something: comments, and "" for a blank line. */
export type Lines = readonly string[];

/** How a scalar is written. */
export interface Spelling {
  /** What stands on the line of the key, as written in a block and inside `{}` or `[]`. */
  readonly text: string;
  readonly flowText: string;
  /** The lines below it, to be indented; none in most. */
  readonly more: Lines;
  /** Whether it is `|` or `>`, where a comment stands beside the header and blank lines may count. */
  readonly block: boolean;
  /** Whether every blank line after it is a part of it (`|+`). */
  readonly keeps: boolean;
}

/** A scalar or alias. */
export interface Leaf extends Spelling {
  readonly type: "leaf";
  /** The anchor and tag before it. */
  readonly properties: string;
  /** What it says; orders and kinds are known by it. Null of an alias and where nothing is written. */
  readonly value: string | null;
  readonly alias: string | null;
  readonly anchor: string | null;
}

/** A mapping or a sequence. */
export interface Collection {
  readonly type: "map" | "list";
  readonly properties: string;
  /** Whether it was written with `{}` or `[]`. */
  readonly flow: boolean;
  readonly items: readonly Item[];
  /** Comments above the first item that belong to the whole. */
  readonly head: Lines;
  /** Comments after the last item. */
  readonly foot: Lines;
  readonly anchor: string | null;
}

export type Value = Leaf | Collection;

/** A pair of a mapping or an entry of a sequence, with the comments that go where it goes. */
export interface Item {
  readonly above: Lines;
  /** Null in a sequence. */
  readonly key: { readonly text: string; readonly flowText: string; readonly name: string } | null;
  readonly value: Value;
  /** Comments at the end of its line. */
  readonly beside: Lines;
  /** Comments inside it, where it has no value. */
  readonly below: Lines;
}

/** A stretch of a file: a directive, `...`, or a document with or without its `---`. */
export interface LayoutPart {
  readonly above: Lines;
  readonly text: string;
  readonly beside: Lines;
  readonly root: Collection | null;
}
