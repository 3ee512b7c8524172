import type { Finder } from "../kinds/named.js";
import { referable } from "../kinds/referable.js";
import type { Json } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import { type Candidates, makeCandidates } from "./candidates.js";
import type { Fetched } from "./fetched.js";
import type { Reader } from "./remote.js";

/** A list that may be long: names are searched in it where that takes fewer calls than reading it. */
export interface LongList {
  /** What has that name; null where only the whole list can tell. */
  find(by: Finder, text: string): Promise<Fetched<Candidates> | null>;
  /** The whole list; null as long as it was not read to its end. */
  whole(): Candidates | null;
}

/** So many names are worth one page of the list: searches are sent at once, pages one after the other. */
const NAMES_PER_PAGE = 2;

/**
 * Reads the list of an app page by page as long as the names that are wanted are worth it, and then searches for each
 * of them. A search counts where it shows the name exactly: what was made a moment ago it may not show yet.
 */
export function makeLongList(target: Target, app: string, purpose: string, reader: Reader): LongList | null {
  const { list } = referable(target);
  const search = list?.search ?? null;
  if (list === null || search === null) return null;
  const { call: listCall, row: rowOf } = list;
  const wanted = new Set<string>();
  const keep = (row: Json) => rowOf(row, app);
  let whole: Candidates | null = null;
  let reading: Promise<Fetched<Candidates | null>> | null = null;

  /** Null for a list that is longer than its names are worth. */
  async function readOn(): Promise<Fetched<Candidates | null>> {
    const isWorthIt = (pages: number) => pages * NAMES_PER_PAGE < wanted.size;
    const rows = await reader.begin(purpose, listCall(app, ""), keep, isWorthIt);
    if (rows.as !== "got") return rows;
    whole = rows.value === null ? null : makeCandidates(rows.value);
    return { as: "got", value: whole };
  }

  return {
    whole: () => whole,
    async find(by, text) {
      const call = search(app, by, text);
      if (call === null) return null;
      wanted.add(`${by} ${text}`);
      reading ??= readOn();
      const read = await reading;
      if (read.as !== "got") return read;
      if (read.value !== null) return { as: "got", value: read.value };
      const found = await reader.all(purpose, call, "sparing");
      if (found.as !== "got") return null;
      const rows = found.value.flatMap((row) => keep(row) ?? []);
      const exact = rows.filter((one) => one[by] === text);
      return exact.length === 0 ? null : { as: "got", value: makeCandidates(exact) };
    },
  };
}
