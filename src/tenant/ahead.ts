import { kinds } from "../kinds/index.js";
import { isSureOfReads } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import type { Origin } from "./origin.js";
import { readsFor, wantedBy } from "./reads.js";

/** Reads that go on while manifests are loaded and their names looked up. Once one fails, no other begins. */
interface Ahead {
  /** Begins no further read. Those under way go on, and the plan takes what comes of them. */
  readonly stop: () => void;
}

/** So much of the width is used for it. */
const WIDTH_AHEAD = 0.75;

/**
 * Begins to read what the state remembers: a plan of the whole project reads all of it, whatever the manifests say. It
 * leaves room for lookups of names, which wait for each other, and leaves out a kind of which it is not known whether it can
 * be read.
 */
export function readAhead({ asked, reader, snapshot }: Origin, width: number): Ahead {
  if (reader === null || snapshot === null) return { stop: () => undefined };
  const entries = Object.values(snapshot.entries);
  const isSure = ({ name }: Kind) => isSureOfReads(asked, name, snapshot.wasRead);
  const begins = kinds.filter(isSure).flatMap((kind) => {
    const remembered = entries.filter(({ address }) => address.kind === kind.name);
    const { lists, items } = readsFor(
      kind,
      remembered.map((entry) => wantedBy(entry, kind)),
    );
    return [
      ...lists.map(
        ({ call }) =>
          () =>
            reader.all(kind.name, call),
      ),
      ...items.map(
        ({ call }) =>
          () =>
            reader.foresee(kind.name, call),
      ),
    ];
  });

  const left = begins.values();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  async function work(): Promise<void> {
    for (const begin of left) {
      if (isStopped) return;
      // What a read throws, the plan hears where it asks for the same.
      const fetched = await begin().catch(() => null);
      if (fetched === null || fetched.as === "failed") stop();
    }
  }
  for (let worker = 0; worker < Math.ceil(WIDTH_AHEAD * width); worker += 1) void work();
  return { stop };
}
