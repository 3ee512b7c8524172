/** What a reply answers: a call for one object, a page of a list, or the request for a token. */
export type Sort = "object" | "page" | "token";

/** How long replies take, as far as a run has seen it. */
interface ReplyTimes {
  heard(sort: Sort, milliseconds: number): void;
  /** Milliseconds that the reply to a call for one object takes; null before the first reply. */
  typical(): number | null;
}

/** A median of so many replies; the first ones of a run are slow and would count too much in an average. */
const RECENT = 100;
/** So few replies may all be slow ones. */
const FEW = 10;

/**
 * Makes an empty memory of replies. A page of a list takes longer than an object, so it only bounds what a few objects
 * show. The reply with the token comes while this machine loads manifests, and may wait for that: it is the last resort.
 */
export function makeReplyTimes(): ReplyTimes {
  const recent: Record<Sort, number[]> = { object: [], page: [], token: [] };
  return {
    heard(sort, milliseconds) {
      const times = recent[sort];
      times.push(milliseconds);
      if (times.length > RECENT) times.shift();
    },
    typical() {
      const { object, page, token } = recent;
      if (object.length >= FEW) return median(object);
      if (object.length > 0) return least(median(object), median(page));
      return least(median(page), median(token));
    },
  };
}

function median(times: readonly number[]): number | null {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? null;
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
