import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { entitlement } from "../messages/entitlement.js";
import { page, paging } from "../messages/members.js";
import { entitlementRef } from "../messages/scope.js";
import { user, userRef } from "../messages/user.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { type Fields, message, type Type } from "../wire/descriptor.js";
import { pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { listing } from "./listing.js";
import { born, existing, find, isDeleted } from "./owned.js";

const SERVICE = "c1.api.app.v2.";
const MOST = 32;

/** What may have owners: its name in operations and in a sentence, its place, and what the tenant has there. */
interface Host {
  readonly noun: string;
  readonly word: string;
  readonly at: string;
  readonly of: Fields;
  readonly row: (request: JsonObject, world: World) => JsonObject | undefined;
}

/** What may own: its name in operations, its place and its ids there, how a body names it, and how a row shows it. */
interface Owner {
  readonly noun: readonly [one: string, many: string];
  readonly at: string;
  readonly of: Fields;
  readonly sent: Fields;
  readonly as: string;
  readonly record: Type;
  readonly row: (request: JsonObject, world: World) => JsonObject | undefined;
}

const HOSTS: readonly Host[] = [
  {
    noun: "App",
    word: "app",
    at: "apps/{app_id}",
    of: { appId: "string" },
    row: (request, world) => find(world, "apps", text(request, "appId")),
  },
  {
    noun: "Entitlement",
    word: "entitlement",
    at: "apps/{app_id}/entitlements/{entitlement_id}",
    of: { appId: "string", entitlementId: "string" },
    row: (request, world) =>
      find(world, "entitlements", text(request, "entitlementId"), text(request, "appId")),
  },
  {
    noun: "Resource",
    word: "resource",
    at: "apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}",
    of: { appId: "string", resourceTypeId: "string", resourceId: "string" },
    row: (request, { store }) => store.resources.get(text(request, "appId"), text(request, "resourceId")),
  },
];

const OWNERS: readonly Owner[] = [
  {
    noun: ["User", "Users"],
    at: "users/{role_slug}/{user_ref_id}",
    of: { userRefId: "string" },
    sent: { userRef },
    as: "user",
    record: user,
    row(request, { store }) {
      const id = text(request, "userRefId");
      return store.users.get(ROOT, id) ?? (store.open ? { id } : undefined);
    },
  },
  {
    noun: ["Entitlement", "Entitlements"],
    at: "entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}",
    of: { appEntitlementRefAppId: "string", appEntitlementRefId: "string" },
    sent: { appEntitlementRef: entitlementRef },
    as: "appEntitlement",
    record: entitlement,
    row: (request, world) =>
      find(
        world,
        "entitlements",
        text(request, "appEntitlementRefId"),
        text(request, "appEntitlementRefAppId"),
      ),
  },
];

/** The owners of apps, entitlements and resources, one by one: a person or the holders of an entitlement, by role. */
export const owners: readonly Operation[] = HOSTS.flatMap((host) =>
  OWNERS.flatMap((owner) => operationsFor(host, owner)),
);

/** Whether a user who may write only what they own was removed from the owners of what has these ids in its place. */
export function isDisowned(ids: readonly string[], { store, quirks: { ownedBy } }: World): boolean {
  if (ownedBy === undefined) return false;
  const isAbout = ({ appId, entitlementId, resourceId }: NamedRow) =>
    [appId, entitlementId, resourceId].every((id) => id === undefined || ids.includes(String(id)));
  return store.owners.of(ROOT).some((row) => row.userRefId === ownedBy && isDeleted(row) && isAbout(row));
}

function operationsFor(host: Host, owner: Owner): readonly Operation[] {
  const [one, many] = owner.noun;
  const at = `/api/v2/${host.at}/owners`;
  const name = `${host.noun}Owner`;
  const places = Object.keys(host.of);
  const keyed: Fields = { ...host.of, roleSlug: "string", ...owner.of };
  const sort = owner.at.slice(0, owner.at.indexOf("/"));
  const shown = { ...host.of, roleSlug: "string", createdAt: "timestamp" } as const;
  const row = message(`${SERVICE}${name}${one}`, { ...shown, [owner.as]: owner.record });
  const asks = (verb: string, fields: Fields) => message(`${SERVICE}${verb}${name}${one}Request`, fields);
  const gives = (verb: string, fields: Fields) => message(`${SERVICE}${verb}${name}${one}Response`, fields);
  const made = `${name.charAt(0).toLowerCase()}${name.slice(1)}${one}`;

  const idOf = (request: JsonObject) =>
    [host.noun, one, ...Object.keys(keyed).map((each) => text(request, each))].join("/");
  const isOf = (request: JsonObject) => (each: NamedRow) =>
    each.of === host.noun && each.sort === sort && places.every((field) => each[field] === request[field]);
  const show = (each: JsonObject, world: World) => ({
    ...pick(each, Object.keys(shown)),
    [owner.as]: owner.row(each, world) ?? {},
  });
  const write = (request: JsonObject, { store }: World, times: JsonObject): NamedRow => {
    const id = idOf(request);
    return store.owners.put(ROOT, id, {
      id,
      of: host.noun,
      sort,
      ...pick(request, Object.keys(keyed)),
      ...times,
    });
  };

  return [
    listing<NamedRow>({
      name: `List${name}${many}`,
      summary: `Lists the ${sort} that own the ${host.word}: none where it is not there.`,
      method: "GET",
      path: `${at}/${sort}`,
      request: asks("List", { ...host.of, roleSlug: "string", ...paging }),
      response: page(`${SERVICE}List${name}${many}Response`, row),
      among: (_, { store }) => [store.owners.of(ROOT)],
      also: (request) => (each) =>
        isOf(request)(each) && ["", each.roleSlug].includes(text(request, "roleSlug")),
      shows: show,
    }),
    {
      name: `Add${name}${one}`,
      summary: `Makes one of the ${sort} an owner of the ${host.word}.`,
      method: "POST",
      path: `${at}/${owner.at}`,
      request: asks("Create", { ...keyed, ...owner.sent }),
      response: gives("Create", { [made]: row }),
      answer(request, world) {
        existing(host.row(request, world));
        existing(owner.row(request, world));
        const all = world.store.owners.of(ROOT).filter((each) => !isDeleted(each) && isOf(request)(each));
        const known = all.find(({ id }) => id === idOf(request));
        if (known === undefined && all.length >= MOST)
          throw new Refusal("invalidArgument", `the ${sort} that own it are ${MOST} at most`);
        return { [made]: show(known ?? write(request, world, born(world)), world) };
      },
    },
    {
      name: `Remove${name}${one}`,
      summary: `Makes one of the ${sort} no owner of the ${host.word} any more.`,
      method: "DELETE",
      path: `${at}/${owner.at}`,
      request: asks("Delete", { ...keyed, ...owner.sent }),
      response: gives("Delete", {}),
      answer(request, world) {
        existing(host.row(request, world));
        const { createdAt = "" } = existing(world.store.owners.get(ROOT, idOf(request)));
        write(request, world, { createdAt, deletedAt: writeTimestamp(world.now) });
        return {};
      },
    },
  ];
}
