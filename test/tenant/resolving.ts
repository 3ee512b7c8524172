import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Snapshot } from "../../src/state/snapshot.js";
import { makeDirectory } from "../../src/tenant/names/directory.js";
import { recordedNamesOf } from "../../src/tenant/names/recordedNames.js";
import { resolve } from "../../src/tenant/names/resolve.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { resource } from "../plan/worlds.js";
import { answering, type Says } from "./asked.js";

const app = (id: string, displayName: string, more: JsonObject = {}) => ({ id, displayName, ...more });
/** A row of an app's entitlements. */
export const entitlement = (id: string, displayName: string, more: JsonObject = {}) => ({
  appEntitlement: { id, displayName, alias: "", slug: "", ...more },
});
const type = (id: string, displayName: string) => ({ appResourceType: { id, displayName, appId: "gh" } });

const TENANT: Readonly<Record<string, Says>> = {
  apps: {
    pages: [
      [
        app("t2", "Twin"),
        app("gh", "GitHub"),
        app("t1", "Twin"),
        app("old", "Old", { deletedAt: "2026-01-01T00:00:00Z" }),
        app("", "Nameless"),
      ],
    ],
  },
  "apps/gh/entitlements": {
    pages: [
      [
        entitlement("admin", "Admin", { alias: "github-admin", slug: "Member" }),
        entitlement("member", "Member", { alias: "github-member", slug: "Member" }),
      ],
    ],
  },
  "apps/t1/entitlements": { pages: [[entitlement("other", "Admin")]] },
  "apps/gh/resource_types": { pages: [[type("team", "Team"), type("repo", "Repository")]] },
  "apps/empty/entitlements": { pages: [[]] },
};

/** What is otherwise than in the tenant. */
export interface Options {
  readonly says?: Readonly<Record<string, Says>>;
  readonly given?: Readonly<Record<string, string>>;
  readonly on?: Interface;
  readonly offline?: boolean;
  readonly snapshot?: Snapshot;
}

/** Puts ids in the place of names in a spec, and gives what was asked for that. */
export async function resolving(kind: Kind, spec: JsonObject, options: Options = {}) {
  const { remote, paths } = answering({ ...TENANT, ...options.says });
  const reader = options.offline === true ? null : makeTenant(remote).reader();
  const { given = {}, on = "full", snapshot = null } = options;
  const remembered = (one: Kind) => recordedNamesOf(one, snapshot);
  const directory = makeDirectory({ reader, given, on, remembered });
  const {
    spec: found,
    mistakes: faults,
    unseen,
  } = await resolve(resource({ kind: kind.name, name: "one" }, spec), kind, directory, {
    unselected: () => undefined,
    remembered: {},
    linked: () => Promise.reject(new Error("no other manifest is named")),
    aliased: async () => null,
  });
  return {
    spec: found,
    faults,
    unseen,
    paths: [...paths].sort(),
    nameOf: (reference: string) => directory.names.get(reference),
  };
}
