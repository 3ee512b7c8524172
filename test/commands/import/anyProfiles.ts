import fc from "fast-check";
import type { JsonObject } from "../../../src/model/json.js";
import { profileBelongings } from "../../../src/sandbox/tenant/builtin.js";
import {
  C1_APP_ID,
  type EntitlementRow,
  type NamedRow,
  type Tenant,
} from "../../../src/sandbox/tenant/tenant.js";

/** Access profiles as people leave them behind. */
export type Profiles = readonly {
  readonly displayName: string;
  readonly published: boolean;
  readonly visibleToEveryone: boolean;
  readonly isDeleted: boolean;
  readonly isOfApp: boolean;
  readonly entries: number;
  readonly bindings: number;
  readonly duration: string | null;
  readonly bundle: JsonObject | null;
}[];

const BEHAVIOR = "REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_";

/** Any few of them, with names that may repeat. */
export function anyProfiles(names: fc.Arbitrary<string>): fc.Arbitrary<Profiles> {
  const isSometimes = fc.boolean();
  const bundle = fc.record({
    enabled: isSometimes,
    removedMembersThresholdPercent: fc.constantFrom("0", "30"),
    cel: fc.constant({ expression: 'subject.department == "IT"' }),
  });
  const one = fc.record({
    // The service wants a name of every profile.
    displayName: names.map((name) => (name === "" ? "Profile" : name)),
    published: isSometimes,
    visibleToEveryone: isSometimes,
    isDeleted: isSometimes,
    isOfApp: isSometimes,
    entries: fc.integer({ min: 0, max: 3 }),
    bindings: fc.integer({ min: 0, max: 2 }),
    duration: fc.constantFrom(null, "3600s"),
    bundle: fc.option(bundle, { nil: null }),
  });
  return fc.array(one, { maxLength: 3 });
}

function enrollmentOf(profile: NamedRow | undefined): readonly EntitlementRow[] {
  return profile === undefined ? [] : profileBelongings(profile, C1_APP_ID).entitlements.slice(0, 1);
}

/** The tenant with those profiles, and the keys of what an import takes of them. */
export function withProfiles(
  tenant: Tenant,
  profiles: Profiles,
  idOf: (letter: string, at: number) => string,
): { readonly tenant: Tenant; readonly importable: readonly string[] } {
  const refs = tenant.entitlements
    .filter(({ deletedAt }) => deletedAt === undefined)
    .map(({ appId, id }) => ({ appId, id }));
  const ids = profiles.map((_, at) => idOf("P", at));
  const catalogs = profiles.map((profile, at): NamedRow => {
    const { displayName, published, visibleToEveryone, isDeleted, entries, bindings, bundle } = profile;
    const isBound = published && !visibleToEveryone;
    return {
      id: ids[at] ?? "",
      displayName,
      published,
      visibleToEveryone,
      unenrollmentBehavior: `${BEHAVIOR}${at % 2 === 0 ? "UNSPECIFIED" : "REVOKE_ALL"}`,
      entries: refs.slice(0, entries),
      bindings: isBound ? refs.slice(-bindings, refs.length) : [],
      ...(bundle === null ? {} : { bundle: { ...bundle, requestCatalogId: ids[at] ?? "" } }),
      ...(isDeleted ? { deletedAt: "2025-01-01T00:00:00Z" } : {}),
    };
  });
  const enrollments = profiles.flatMap(({ duration, isDeleted }, at): EntitlementRow[] =>
    duration === null || isDeleted
      ? []
      : enrollmentOf(catalogs[at]).map(({ durationUnset: _, ...row }) => ({
          ...row,
          durationGrant: duration,
        })),
  );
  const [ofApp] = profiles.flatMap(({ isOfApp, isDeleted }, at) =>
    isOfApp && !isDeleted ? [ids[at] ?? ""] : [],
  );
  const apps = tenant.apps.map((app) =>
    app.id === C1_APP_ID && ofApp !== undefined ? { ...app, defaultRequestCatalogId: ofApp } : app,
  );
  return {
    tenant: {
      ...tenant,
      apps,
      catalogs: [...tenant.catalogs, ...catalogs],
      entitlements: [...tenant.entitlements, ...enrollments],
    },
    importable: profiles.flatMap(({ isDeleted }, at) =>
      isDeleted || ids[at] === ofApp ? [] : [`AccessProfile ${C1_APP_ID}/${ids[at]}`],
    ),
  };
}
