import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { ACCESS_ID } from "../tenant/builtin.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { omit, part, paths, pick } from "../wire/member.js";

/** What a sync writes. */
const SYNCED = ["displayName", "description"];

/** What an entitlement that a connector made keeps of an edit: what the connector wrote. A quirk also names what was edited. */
export function keptOfEdit(names: readonly string[], before: EntitlementRow, { quirks }: World): JsonObject {
  if (before.isManuallyManaged === true) return {};
  const synced = { ...pick(before, SYNCED), ...part(before, "synced") };
  const edited = [...new Set([...paths(before, "userEditedMask"), ...names])];
  return { synced, ...(quirks.keptEdits === true ? { userEditedMask: edited.join(",") } : {}) };
}

/** An entitlement as it is once its connector has written it again. */
export function synced(row: EntitlementRow, { quirks }: World): EntitlementRow {
  const written = quirks.connectorSyncs === true ? part(row, "synced") : undefined;
  return written === undefined ? row : { ...row, ...omit(written, paths(row, "userEditedMask")) };
}

/** What no one can write of entitlements that people did not make; the statuses are guesses. */
export function refuseFixed(
  names: readonly string[],
  { id, appId, ...before }: EntitlementRow,
  world: World,
): void {
  const isWritten = (some: readonly string[]) => some.some((name) => names.includes(name));
  if (id === ACCESS_ID && isWritten(["displayName", "slug"]))
    throw new Refusal("invalidArgument", "the access entitlement cannot be renamed");
  const isOwn = appId === world.store.c1AppId && before.isManuallyManaged !== true;
  if (isOwn && isWritten(["provisionerPolicy", "deprovisionerPolicy"]))
    throw new Refusal("failedPrecondition", "provisioning of this entitlement cannot be changed");
}
