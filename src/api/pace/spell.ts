/** What a service let through between two pauses that it asked for. */
export interface Spell {
  /** Nothing starts before `until`; the pause began now. */
  pause(now: number, until: number): void;
  start(now: number): void;
  /** A request that started then was refused: what this and the last spells show of the service's rate; null where it is too short. */
  end(started: number): RateBounds | null;
}

/** RateBounds of a service's rate per second, and a guess between them. */
export interface RateBounds {
  readonly most: number;
  readonly guess: number;
}

/** More starts are a long spell, in which what the service had stored counts for nothing. */
const MOST = 4_000;
/** So many spells are compared. */
const MEMORY = 6;
/** Spells are compared when the longest is that much longer than the shortest. */
const LONGER = 1.4;

/** Makes a spell without starts. */
export function makeSpell(): Spell {
  let pause = 0;
  let since = 0;
  let starts: number[] = [];
  let spells: { readonly time: number; readonly count: number }[] = [];

  /** All spells begin with what was stored in the pause; what a longer one let through beyond a shorter is what flows. */
  function slope(): number | null {
    const times = spells.map(({ time }) => time);
    if (spells.length < 2 || Math.max(...times) < LONGER * Math.min(...times)) return null;
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [time, count] = [mean(times), mean(spells.map((spell) => spell.count))];
    const over = spells.reduce((sum, spell) => sum + (spell.time - time) * (spell.count - count), 0);
    return (over * 1000) / times.reduce((sum, one) => sum + (one - time) ** 2, 0);
  }

  return {
    pause(now, until) {
      pause = until - now;
      since = until;
      starts = [];
    },
    start(now) {
      starts.push(now);
      if (starts.length < 2 * MOST) return;
      starts = starts.slice(MOST);
      since = starts[0] ?? now;
      pause = 0;
      spells = [];
    },
    end(started) {
      const count = starts.findLastIndex((at) => at < started) + 1;
      const time = Math.max(1, started - since);
      if (count < 2) return null;
      spells.push({ time, count });
      if (spells.length > MEMORY) spells.shift();
      // What flowed in while nothing started was stored, as far as the service stores anything.
      const [least, most] = [(count * 1000) / (time + pause), (count * 1000) / time];
      const guess = slope() ?? Math.sqrt(least * most);
      return { most, guess: Math.min(Math.max(guess, least), most) };
    },
  };
}
