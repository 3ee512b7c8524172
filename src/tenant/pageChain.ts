import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { EFFORT, type Need, type Remote } from "./reads.js";

/** The rows of a list as the service sent them. */
export type SentRows = readonly Json[];

/** One page of a list that was read. */
interface ReadPage {
  readonly rows: () => SentRows;
  /** The token that leads to it; empty for the first page. */
  readonly from: string;
  /** The page after it; null at the end of the list. */
  readonly next: PlaceInList | null;
}

/** A place in a list: its page is read by the first who asks for it, and given to all others. */
export interface PlaceInList {
  /** A failed read is repeated only for someone who needs the page more. Throws an `ApiError`. */
  readonly read: (need: Need) => Promise<ReadPage>;
}

/** How the pages of a list come, and how they are kept. */
interface PageSource {
  readonly pages: Remote["pages"];
  readonly call: Call;
  /** Whether the rows are kept in little room: each page is then made of new objects whenever it is asked for again. */
  readonly isPacked: boolean;
  /** Hears each page as it comes. */
  readonly hear: (rows: SentRows) => void;
}

/** Reads that are tried more often stand for those that are tried less. */
const STRENGTH = { probe: 0, sparing: 1, optional: 1, required: 2 } as const satisfies Record<Need, number>;

type GoingOn = AsyncIterator<{ readonly rows: SentRows; readonly next: string }>;

/** The first place of a list, or the one that a token leads to; `before` has read as far as that. */
export function placeIn(source: PageSource, from = "", before?: GoingOn): PlaceInList {
  let known: { readonly page: Promise<ReadPage>; readonly need: Need } | null = null;
  let hasFailed = false;

  async function readPage(need: Need, goingOn: GoingOn | undefined): Promise<ReadPage> {
    const effort = { ...EFFORT[need], ...(from === "" ? {} : { from }) };
    const pages = goingOn ?? source.pages(source.call, effort)[Symbol.asyncIterator]();
    try {
      const { value, done } = await pages.next();
      const { rows, next } = done === true ? { rows: [], next: "" } : value;
      source.hear(rows);
      return {
        rows: source.isPacked ? packed(rows) : () => rows,
        from,
        next: next === "" ? null : placeIn(source, next, pages),
      };
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }

  return {
    read(need) {
      if (known === null || (hasFailed && STRENGTH[known.need] < STRENGTH[need])) {
        hasFailed = false;
        known = { page: readPage(need, known === null ? before : undefined), need };
      }
      return known.page;
    },
  };
}

/** Rows in little room: those that differ in a few words take a tenth of what they take as objects. */
function packed(sent: SentRows): () => SentRows {
  // A copy: the compressor gives a view of a larger buffer.
  const bytes = Uint8Array.from(deflateRawSync(JSON.stringify(sent), { level: 1 }));
  let fresh: SentRows | null = sent;
  return () => {
    const rows = fresh ?? (JSON.parse(inflateRawSync(bytes).toString()) as SentRows);
    fresh = null;
    return rows;
  };
}
