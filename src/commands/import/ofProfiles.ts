import { ownApp } from "../../kinds/app.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { REFERABLE } from "../../kinds/lookups.js";
import { listOfApps } from "../../kinds/referable.js";
import { inside, textOf } from "../../kinds/spelling.js";
import type { Reader } from "../../tenant/reader.js";

/** Whether an object is a part of an access profile, and so managed with it; why that is not known, where it is not. */
type OfProfile = (observed: Observed) => { readonly is: boolean } | { readonly why: string };

/**
 * Tells the resources and entitlements that profiles consist of from all others. A profile is a resource of the tenant's
 * own app, and the id of its enrollment entitlement is its own id. Reads nothing for other kinds.
 */
export async function ofProfiles({ resourceOf }: Kind, reader: Reader): Promise<OfProfile> {
  if (resourceOf === undefined) return () => ({ is: false });
  const [apps, profiles] = await Promise.all([
    reader.all(REFERABLE.app.noun.many, listOfApps()),
    reader.all(REFERABLE.accessProfile.noun.many, REFERABLE.accessProfile.list.call(), "optional"),
  ]);
  const own = apps.as === "got" ? ownApp(apps.value) : null;
  const doubt =
    (why: string): OfProfile =>
    ({ key: [app] }) =>
      own === null || app === own ? { why } : { is: false };
  if (profiles.as === "absent" || profiles.as === "not offered") return () => ({ is: false });
  if (profiles.as === "failed")
    return doubt(`the list of access profiles could not be read: ${profiles.why}`);
  const ids = profiles.value.flatMap((row) => REFERABLE.accessProfile.list.row(row)?.id ?? []);
  if (ids.length === 0) return () => ({ is: false });
  if (own === null) return doubt("it is not sure which app is the tenant's own, and profiles belong to it");
  const { byId } = REFERABLE.entitlement.list;
  const resources = new Set<string>(ids);
  for (let at = 0; at < ids.length; at += byId.most) {
    const call = byId.call(ids.slice(at, at + byId.most).map((id) => ({ app: own, id })));
    const found = await reader.all(REFERABLE.entitlement.noun.many, call, "optional");
    if (found.as !== "got") return doubt("the entitlements of access profiles could not be read");
    for (const row of found.value)
      resources.add(textOf(inside(row, "appEntitlement") ?? {}, "appResourceId"));
  }
  resources.delete("");
  const enrollments = new Set(ids);
  return (observed) => {
    const [app, ...rest] = observed.key;
    const isOwn = app === own;
    return { is: isOwn && (enrollments.has(rest.at(-1) ?? "") || resources.has(resourceOf(observed))) };
  };
}
