import type { Interface } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import { readLive } from "./live.js";
import type { Origin } from "./origin.js";
import type { Wanted } from "./reads.js";
import { recorded } from "./recorded.js";
import type { KindSource, Seen } from "./world.js";

/** What is there of one kind, and what that was taken from. */
export interface Sourced {
  readonly source: KindSource;
  readonly objects: ReadonlyMap<string, Seen>;
}

/** The objects of a kind: live where the service reads and may be asked, as recorded where not. */
export async function sourceOf(
  kind: Kind,
  wanted: readonly Wanted[],
  { asked, reader, directory, snapshot }: Omit<Origin, "kinds" | "remembered">,
): Promise<Sourced> {
  const asRecorded = (on: Interface, why: string | null): Sourced => ({
    source: { interface: on, source: "recorded", why },
    objects: recorded(wanted, snapshot),
  });
  if (asked === "core") return asRecorded("core", null);
  if (reader === null) return asRecorded("full", "offline");
  const live = await readLive(kind, wanted, reader, directory);
  if (live.offered)
    return { source: { interface: "full", source: "live", why: null }, objects: live.objects };
  if (asked === "auto") return asRecorded("core", live.why);
  const diagnostic = {
    code: "service/not-offered",
    severity: "error",
    message: `${kind.noun.many} cannot be read: ${live.why}`,
    hint: "`interface: full` was asked for. With `auto` or `core`, what was recorded stands in.",
  } as const;
  return {
    source: { interface: "full", source: "live", why: live.why },
    objects: new Map(wanted.map(({ name }) => [name, { as: "unread", diagnostic }])),
  };
}
