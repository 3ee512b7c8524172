/** Rows under two names, a parent's and their own, in order of arrival; a row is replaced in its place. */
export interface Table<Row> {
  get(parent: string, id: string): Row | undefined;
  put(parent: string, id: string, row: Row): void;
  /** The rows of one parent, in order of arrival. */
  of(parent: string): readonly Row[];
  /** The rows of every parent, parent by parent, in order of arrival. */
  groups(): readonly (readonly Row[])[];
  all(): readonly Row[];
}

/** An empty table. */
export function makeTable<Row>(): Table<Row> {
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
      group.places.set(id, place);
      group.rows[place] = row;
    },
    of: (parent) => groups.get(parent)?.rows ?? [],
    groups: () => [...groups.values()].map((group) => group.rows),
    all: () => [...groups.values()].flatMap((group) => group.rows),
  };
}
