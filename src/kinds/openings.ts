import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { say } from "../words/say.js";
import type { Opening } from "./kind.js";
import { inside, textOf, textsOf } from "./spelling.js";

/** What a change of an app opens, or takes from people. A new app has neither entitlements nor people yet. */
export function appOpens(before: JsonObject | null, after: JsonObject): readonly Opening[] {
  const was = inside(before, "requestDefaults") ?? {};
  const is = inside(after, "requestDefaults") ?? {};
  const opens = is.defaultsEnabled === true && opensEmergency(was.defaultsEnabled === true ? was : null, is);
  return [
    ...(before === null
      ? []
      : [...widerDefaults(was, is), ...moved(before, after), ...revoked(before, after)]),
    ...(opens ? [emergency("requestDefaults.emergencyGrantEnabled would be true")] : []),
  ];
}

/** Whether an object opens the way of emergencies that it did not have open. */
export function opensEmergency(before: Json | undefined, after: Json | undefined): boolean {
  return isOpen(after) && !isOpen(before);
}

function isOpen(value: Json | undefined): boolean {
  return value !== undefined && isObject(value) && value.emergencyGrantEnabled === true;
}

export function emergency(what: string): Opening {
  return say("guard/emergency-open", { what });
}

/** The ways in which the service writes more into entitlements than it did, or lets them be requested more freely. */
function widerDefaults(was: JsonObject, is: JsonObject): readonly Opening[] {
  if (is.defaultsEnabled !== true) return [];
  const wasOn = was.defaultsEnabled === true;
  const added = (name: string) => {
    const old = wasOn ? textsOf(was, name) : [];
    return textsOf(is, name).filter((id) => !old.includes(id)).length;
  };
  const [types, profiles] = [added("resourceTypeIds"), added("catalogIds")];
  const isLonger = wasOn && longest(is) > longest(was);
  const ways = [
    ...(types === 0
      ? []
      : [`for the entitlements of ${types} more resource ${types === 1 ? "type" : "types"}`]),
    ...(profiles === 0 ? [] : [`in ${profiles} more access ${profiles === 1 ? "profile" : "profiles"}`]),
    ...(isLonger ? ["for longer grants"] : []),
  ];
  return ways.length === 0 ? [] : [say("guard/wider-defaults", { ways })];
}

/** How many seconds a grant lasts at most. */
function longest(defaults: JsonObject): number {
  const duration = textOf(defaults, "durationGrant");
  return duration === "" ? Number.POSITIVE_INFINITY : Number.parseFloat(duration);
}

function moved(before: JsonObject, after: JsonObject): readonly Opening[] {
  const changed = ["identityMatching", "appUserMapper"].filter(
    (name) => !same(before[name] ?? null, after[name] ?? null),
  );
  return changed.length === 0 ? [] : [say("guard/identity-moved", { changed })];
}

function revoked(before: JsonObject, after: JsonObject): readonly Opening[] {
  const was = inside(before, "usageControls") ?? {};
  const is = inside(after, "usageControls") ?? {};
  const days = Number(is.revokeAfterDays ?? 0);
  const isSooner = was.revoke !== true || days < Number(was.revokeAfterDays ?? 0);
  if (is.revoke !== true || !isSooner) return [];
  return [say("guard/usage-revoke", { days })];
}
