import type { Path } from "../../../model/path.js";
import { refuse } from "../reading.js";
import type { EntitlementRow, ResourceTypeRow } from "../tenant.js";
import type { AppRows } from "./apps.js";

/** Finds what a seed speaks of by name; refuses where there is none, or more than one. */
export interface Finder {
  /** `GitHub/github-admin`: an app by its name, and an entitlement by its alias, id or name. */
  entitlement(words: string, path: Path): EntitlementRow;
  /** `GitHub/Team`: an app and a resource type, each by its name. */
  type(words: string, path: Path): ResourceTypeRow;
}

/** A finder among those apps. */
export function makeFinder(apps: readonly AppRows[]): Finder {
  function appOf(words: string, path: Path): { readonly app: AppRows; readonly rest: string } {
    const slash = words.indexOf("/");
    if (slash <= 0) return refuse(path, "must be an app and what is in it: App/name");
    const name = words.slice(0, slash);
    const app = apps.find((each) => each.app.displayName === name || each.app.id === name);
    if (app === undefined) return refuse(path, `names the app ${name}, which does not exist`);
    return { app, rest: words.slice(slash + 1) };
  }

  return {
    entitlement(words, path) {
      const { app, rest } = appOf(words, path);
      const exact = app.entitlements.filter((each) => each.alias === rest || each.id === rest);
      const found = exact.length > 0 ? exact : app.entitlements.filter((each) => each.displayName === rest);
      return one(found, rest, `entitlement of ${app.app.displayName}`, path);
    },
    type(words, path) {
      const { app, rest } = appOf(words, path);
      const found = app.types.filter((each) => each.displayName === rest || each.id === rest);
      return one(found, rest, `resource type of ${app.app.displayName}`, path);
    },
  };
}

function one<Row extends { readonly id: string }>(
  found: readonly Row[],
  name: string,
  what: string,
  path: Path,
): Row {
  const [first, ...others] = found;
  if (first === undefined) return refuse(path, `names ${name}, and no ${what} has that name`);
  if (others.length === 0) return first;
  return refuse(path, `names more than one ${what}: ${found.map((row) => row.id).join(", ")}; write the id`);
}
