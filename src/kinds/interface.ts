/** `core` is the documented operations alone; `full` adds reads, updates, deletes and lists. */
export type Interface = "core" | "full";

/** The interface that a run is asked to use; `auto` asks the service which one it has. */
export type Asked = Interface | "auto";

/** One interface for every kind, or one for each by its name; a kind that is left out is `auto`. */
export type AskedInterface = Asked | Readonly<Record<string, Asked>>;

/** The interface that a run is asked to use for a kind. */
export function askedFor(asked: AskedInterface, kind: string): Asked {
  if (typeof asked === "string") return asked;
  return (Object.hasOwn(asked, kind) ? asked[kind] : undefined) ?? "auto";
}

/** Whether a run is asked to do without the reads of a kind. */
export function isAskedBlind(asked: AskedInterface, kind: string): boolean {
  return askedFor(asked, kind) === "core";
}

/** Whether the service has the reads of a kind for sure: the run is asked to use them, or an earlier one did. */
export function isSureOfReads(asked: AskedInterface, kind: string, wasRead: boolean): boolean {
  const on = askedFor(asked, kind);
  return on === "full" || (on === "auto" && wasRead);
}

/** The interface that names are looked up on: one for the whole run. */
export function namesOn(asked: AskedInterface): Interface {
  return asked === "core" ? "core" : "full";
}

/** Whether an interface shows what the service contains. */
export function showsObjects(on: Interface): boolean {
  return on === "full";
}

/** What a kind's current state was taken from, and why where that was not asked for. */
export interface KindSource {
  readonly interface: Interface;
  readonly source: "live" | "recorded";
  readonly why: string | null;
}

/** What was found of each kind, by its name. */
export type FoundInterfaces = Readonly<Record<string, KindSource>>;

export const LIVE: KindSource = { interface: "full", source: "live", why: null };
/** The service could show the kind, and was not asked. */
export const OFFLINE: KindSource = { interface: "full", source: "recorded", why: "offline" };

/** The service shows nothing of the kind, or the run is asked not to look. */
export function blind(why: string | null): KindSource {
  return { interface: "core", source: "recorded", why };
}

/** Whether the service shows the objects of a kind. */
export function isLive(found: FoundInterfaces, kind: string): boolean {
  return found[kind]?.source === "live";
}

/** What the service offers for a kind, as far as could be learnt. */
export function foundFor(found: FoundInterfaces, kind: string): Interface {
  return found[kind]?.interface ?? "core";
}
