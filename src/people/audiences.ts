import type { Requesters } from "../impact/agreement.js";
import { accessProfile } from "../kinds/accessProfile.js";
import { OWN_APP } from "../kinds/app.js";
import { type Holders, refIn, refName } from "../kinds/people.js";
import { inside, isGone, textOf } from "../kinds/spelling.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { PeopleReads } from "../tenant/peopleReads.js";

/** What a profile offers, and to whom; null where that is not known. */
interface Profile {
  readonly id: string;
  readonly offers: ReadonlySet<string> | null;
  /** Who sees it: everyone, or those who hold one of some entitlements; null where that is not known. */
  readonly seenBy: "everyone" | readonly (Holders | null)[] | null;
}

/** Every profile that people may see; null where they could not be read. */
export async function profilesOf(reads: PeopleReads): Promise<readonly Profile[] | null> {
  const { list } = accessProfile.reads;
  if (list === undefined) return null;
  const rows = await reads.listed("offered", list.of(ANY));
  const live = rows?.filter((row) => !isGone(inside(row, "requestCatalog") ?? {})) ?? null;
  const shown = live?.flatMap((row) => list.row(row, ANY) ?? []) ?? [];
  if (live === null || shown.length < live.length) return null;
  const published = shown.filter(({ fields }) => fields.published === true);
  return Promise.all(published.map(({ key, fields }) => profileOf(key.at(-1) ?? "", fields, reads)));
}

/** Profiles are in the tenant's own app. */
const ANY = [OWN_APP.id];

async function profileOf(id: string, fields: JsonObject, reads: PeopleReads): Promise<Profile> {
  const partOf = async (field: string) => {
    const part = accessProfile.reads.parts?.find((one) => one.field === field);
    if (part === undefined || part.as === "items" || part.as === "lists") return null;
    const body =
      part.as === "list"
        ? await reads.listed("offered", part.call(["", id]))
        : await reads.object(part.call(["", id]));
    const seen = body == null ? undefined : part.observe(body as Json);
    return Array.isArray(seen) ? seen.filter(isObject) : null;
  };
  const [entries, seers] = await Promise.all([
    partOf("requestableEntries"),
    fields.visibleToEveryone === true ? null : partOf("visibilityBindings"),
  ]);
  const offers = entries === null ? null : new Set(entries.map((ref) => refName(refIn(ref))));
  if (fields.visibleToEveryone === true) return { id, offers, seenBy: "everyone" };
  return { id, offers, seenBy: seers && (await Promise.all(seers.map((ref) => reads.holders(refIn(ref))))) };
}

/** Who may request an entitlement, by what offers it; the standard audience of an app is a profile that no list may show. */
export function audiencesIn(profiles: readonly Profile[] | null, rows: readonly JsonObject[]) {
  // Who is disabled requests nothing.
  const users = rows.filter((row) => textOf(row, "status") !== "DISABLED");
  const everyone = users.map((row) => textOf(row, "id"));
  const enabled = new Set(
    users.filter((row) => textOf(row, "status") === "ENABLED").map((row) => textOf(row, "id")),
  );
  const known = new Map<string, Requesters>();
  return (row: JsonObject, app: JsonObject | null) => {
    const name = refName(refIn(row));
    const offering = (profiles ?? []).filter(({ offers }) => offers?.has(name) !== false);
    const standard = textOf(app ?? {}, "defaultRequestCatalogId");
    const isListed = standard === "" || profiles?.some(({ id }) => id === standard) === true;
    const isSure = offering.every(({ offers, seenBy }) => {
      return offers !== null && seenBy !== null && (seenBy === "everyone" || !seenBy.includes(null));
    });
    const key = offering.map(({ id, offers }) => `${id} ${offers !== null}`).join("\n");
    const audience = known.get(key) ?? audienceOf(offering, everyone, enabled);
    known.set(key, audience);
    return { audience, isKnown: app !== null && isListed && isSure };
  };
}

function audienceOf(
  offering: readonly Profile[],
  everyone: readonly string[],
  enabled: ReadonlySet<string>,
): Requesters {
  const [certain, possible] = [new Set<string>(), new Set<string>()];
  for (const { offers, seenBy } of offering) {
    const seers =
      seenBy === null ? [] : seenBy === "everyone" ? [new Map(everyone.map((id) => [id, true]))] : seenBy;
    for (const id of everyone) {
      const held = seers.map((holders) => (holders === null ? null : holders.get(id)));
      const is = offers !== null && held.includes(true);
      if (is && enabled.has(id)) certain.add(id);
      if (seenBy === null || is || held.some((one) => one !== undefined)) possible.add(id);
    }
  }
  return { certain, possible };
}
