/** How large a value is, each use of a named value counted. */
export interface Amount {
  readonly nodes: number;
  readonly characters: number;
  /** The items of its lists. */
  readonly items: number;
  /** Characters of texts that are composed. */
  readonly made: number;
}

/** How large what is made will be. */
export interface Size {
  /** The largest manifest; a named value is as large as itself. */
  readonly largest: Pick<Amount, "nodes" | "characters">;
  /** What it takes from named values and rows, all together. */
  readonly taken: Amount;
}

/** What takes nothing from elsewhere. */
export const ADDS_NOTHING: Amount = { nodes: 0, characters: 0, items: 0, made: 0 };
