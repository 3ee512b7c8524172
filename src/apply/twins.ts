import type { Kind } from "../kinds/kind.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Step } from "../plan/step.js";
import type { Seen } from "../tenant/known.js";
import type { Wanted } from "../tenant/reads.js";
import { say } from "../words/say.js";
import { wantedBy } from "./reads/recentReads.js";
import { type Reread, searched } from "./reads/reread.js";

/** An object that a run created, under the key that the service chose. */
export interface Created {
  readonly step: Step;
  readonly kind: Kind;
  readonly key: Key;
}

/** What a last look at the siblings of a created object adds to its step. */
interface Afterthought {
  readonly step: Step;
  /** Whether other objects have its name, or only the look failed. */
  readonly isDoubled: boolean;
  readonly diagnostic: Diagnostic;
}

/**
 * Looks for other objects with the names of those that a run created. Another run with another state may have created
 * the same at the same time: whichever run looks last finds both. One search shows the objects of several parents; the list
 * of a parent is read where the search does not show what was created there.
 */
export async function findTwins(
  created: readonly Created[],
  reread: Pick<Reread, "many">,
): Promise<readonly Afterthought[]> {
  const kinds = new Set(created.map(({ kind }) => kind));
  const found = await Promise.all(
    [...kinds].map(async (kind) => {
      const ofKind = created.filter((one) => one.kind === kind);
      const wanted = ofKind.map(({ step, key }) => wantedBy({ ...step, key, before: null }, kind));
      const bySearch = searched(
        kind,
        wanted.map(({ parent }) => parent),
      );
      const shown = bySearch === kind ? new Map<string, Seen>() : await lookFor(bySearch, wanted, reread);
      const left = wanted.filter(({ name }) => shown.get(name)?.as !== "present");
      const listed = left.length === 0 ? shown : await lookFor(kind, left, reread);
      const seenOf = ({ key }: Created): Seen | undefined => {
        const name = formatKey(kind.name, key);
        return listed.get(name) ?? shown.get(name);
      };
      return ofKind.flatMap((one) => afterthought(one, seenOf(one)));
    }),
  );
  return found.flat();
}

/** What is seen of some objects; nothing where the service shows none of the kind. */
async function lookFor(
  kind: Kind,
  wanted: readonly Wanted[],
  reread: Pick<Reread, "many">,
): Promise<ReadonlyMap<string, Seen>> {
  const looked = await reread.many(kind, wanted);
  return "notOffered" in looked ? new Map() : looked;
}

function afterthought({ step, kind, key }: Created, seen: Seen | undefined): readonly Afterthought[] {
  const why = seen === undefined ? "the service has no list of them" : whyUnclear(seen);
  const { span } = step.managed;
  const noun = kind.noun.one;
  if (why !== null)
    return [{ step, isDoubled: false, diagnostic: say("apply/not-looked", { noun, why }, { span }) }];
  if (seen?.as !== "present") return [];
  // A list may lag behind: then it shows only the other one.
  const other = same(seen.key, key) ? [] : [seen.key];
  const twins = [...other, ...(seen.twins ?? []).map((twin) => twin.key)].filter((one) => !same(one, key));
  if (twins.length === 0) return [];
  const [id = "", ...others] = [key, ...twins].map((one) => one.at(-1) ?? "");
  const values = { noun, id, others: others.join(", ") };
  return [{ step, isDoubled: true, diagnostic: say("apply/same-name", values, { span }) }];
}

function whyUnclear(seen: Seen): string | null {
  return seen.as === "unread" ? seen.diagnostic.message : null;
}
