/** Rows under two names, a parent's and their own, in order of arrival; a row is replaced in its place. */
export interface Table<Row extends object> {
  get(parent: string, id: string): Row | undefined;
  /** The row as it is kept from now on. */
  put(parent: string, id: string, row: Row): Row;
  /** The last few rows that stood in a row's place before, the newest first, and the first of all. */
  before(row: Row): readonly Row[];
  /** The rows of one parent, in order of arrival. */
  of(parent: string): readonly Row[];
  /** The rows of every parent, parent by parent, in order of arrival. */
  groups(): readonly (readonly Row[])[];
  all(): readonly Row[];
}

/** How many earlier rows are remembered for a row. */
const KEPT = 4;

/** An empty table. */
export function makeTable<Row extends object>(): Table<Row> {
  const earlier = new WeakMap<object, readonly Row[]>();
  const groups = new Map<string, { readonly rows: Row[]; readonly places: Map<string, number> }>();
  return {
    get(parent, id) {
      const group = groups.get(parent);
      const place = group?.places.get(id);
      return place === undefined ? undefined : group?.rows[place];
    },
    put(parent, id, row) {
      let group = groups.get(parent);
      if (group === undefined) {
        group = { rows: [], places: new Map() };
        groups.set(parent, group);
      }
      const place = group.places.get(id) ?? group.rows.length;
      const replaced = group.rows[place];
      if (replaced !== undefined && replaced !== row)
        earlier.set(row, someOf([replaced, ...(earlier.get(replaced) ?? [])]));
      group.places.set(id, place);
      group.rows[place] = row;
      return row;
    },
    before: (row) => earlier.get(row) ?? [],
    of: (parent) => groups.get(parent)?.rows ?? [],
    groups: () => [...groups.values()].map((group) => group.rows),
    all: () => [...groups.values()].flatMap((group) => group.rows),
  };
}

/** The newest rows and the oldest one: a list that lags long shows what was there first. */
function someOf<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.length <= KEPT ? rows : [...rows.slice(0, KEPT - 1), ...rows.slice(-1)];
}
