import { audienceOf } from "../../impact/audience.js";
import { conditionOf } from "../../impact/automation.js";
import { answersFrom, type Census } from "../../impact/census.js";
import { type Holding, holding } from "../../impact/holding.js";
import type { Person } from "../../impact/person.js";
import { languageFor } from "../../impact/rule/language.js";
import { needsOf } from "../../impact/rule/needs.js";
import type { Kind } from "../../kinds/kind.js";
import type { KindOf } from "../../kinds/kindOf.js";
import { type EntitlementRef, type Holders, refName } from "../../kinds/people.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { TestDocument } from "./document.js";
import { type OfflineNames, plainSpec } from "./plainSpec.js";

/** A rule of the project, or the users of a review, as a test asks it. */
export interface TestedRule {
  readonly address: string;
  /** Whether it gives access; otherwise it chooses whom a review covers. */
  readonly givesAccess: boolean;
  readonly about: (person: Person) => Holding;
  /** The text of its condition, and the language that it is written in; null where it has none. */
  readonly expression: string | null;
  readonly language: ReturnType<typeof languageFor>;
  readonly place: Place;
  /** Entitlements for which it asks, and of which the test does not say who holds them. */
  readonly unsaid: readonly string[];
}

/** What one test knows of the world: its people, and who holds what. */
export interface TestWorld {
  readonly test: TestDocument;
  readonly people: ReadonlyMap<string, Person>;
  readonly apps: Readonly<Record<string, string>>;
  readonly today: Date;
}

/** The rules of a project in the world of one test. Kinds that decide about no one are left out. */
export function rulesIn(
  resources: readonly Resource[],
  kindOf: KindOf,
  world: TestWorld,
): readonly TestedRule[] {
  const names = namesIn(world);
  const written = resources.flatMap((resource) => {
    const kind = kindOf(resource.address);
    const { as } = kind.concern;
    if (as !== "members" && as !== "audience") return [];
    return [{ resource, kind, spec: plainSpec(resource, kind.shape, names) }];
  });
  const addresses = new Map(
    written.flatMap(({ resource, kind, spec }) => {
      const key = kind.concern.as === "members" ? kind.key(spec) : null;
      if (key === null || kind.concern.as !== "members") return [];
      return [[formatAddress(resource.address), refName(kind.concern.entitlement(key))] as const];
    }),
  );
  const members = membersIn(
    world,
    addresses,
    written.flatMap(({ kind, spec }) => needsOf(partOf(kind, spec)).members),
  );
  const census: Census = {
    people: [...world.people.values()],
    areAll: true,
    accounts: new Map(),
    members,
    groups: groupsIn(world),
  };
  const language = languageFor("User", answersFrom(census), world.today);
  return written.map(({ resource, kind, spec }) => {
    const part = partOf(kind, spec);
    return {
      address: formatAddress(resource.address),
      givesAccess: kind.concern.as === "members",
      about: isEmpty(part)
        ? () => holding(null, "the manifest writes no rule, so only the tenant knows it")
        : kind.concern.as === "members"
          ? conditionOf(part, language, members).about
          : audienceOf(part, language).about,
      ...conditionIn(part, kind, resource),
      language,
      unsaid: needsOf(part)
        .members.map(refName)
        .filter((name) => !members.has(name)),
    };
  });
}

/** The part of a spec that decides about people. */
function partOf(kind: Kind, spec: JsonObject): JsonObject {
  if (kind.concern.as === "members") return kind.concern.rule(spec);
  return kind.concern.as === "audience" ? kind.concern.scope(spec) : {};
}

function isEmpty(part: JsonObject): boolean {
  return Object.keys(part).length === 0;
}

/** The expression of a rule, and where it is written; the member that decides where it has none. */
function conditionIn(
  part: JsonObject,
  kind: Kind,
  { place }: Resource,
): Pick<TestedRule, "expression" | "place"> {
  const under: Path = kind.concern.as === "audience" ? ["spec", "scope"] : ["spec"];
  for (const [name, member] of Object.entries(part))
    if (isObject(member) && typeof member.expression === "string")
      return { expression: member.expression, place: place([...under, name, "expression"]) };
  const [first] = Object.keys(part);
  return { expression: null, place: place(first === undefined ? under : [...under, first]) };
}

function namesIn({ people, apps }: TestWorld): OfflineNames {
  const byEmail = new Map([...people.values()].map(({ id, email }) => [email.toLowerCase(), id]));
  return { apps, user: (email) => byEmail.get(email.toLowerCase()) ?? email };
}

/** Who holds each entitlement that a rule asks for, as far as the test says it: what it does not name is unknown. */
export function membersIn(
  {
    test,
    people,
    apps,
  }: Pick<TestWorld, "people" | "apps"> & {
    readonly test: Pick<TestDocument, "entitlements">;
  },
  addresses: ReadonlyMap<string, string>,
  asked: readonly EntitlementRef[],
): ReadonlyMap<string, Holders> {
  const appNames = (id: string) => [id, ...Object.keys(apps).filter((name) => apps[name] === id)];
  return new Map(
    asked.flatMap((ref) => {
      const name = refName(ref);
      const spellings = [ref.id, ...appNames(ref.appId).map((app) => `${app}/${ref.id}`)];
      const found = Object.entries(test.entitlements).find(
        ([written]) => spellings.includes(written) || addresses.get(written) === name,
      );
      if (found === undefined) return [];
      const ids = found[1].flatMap((holder) => people.get(holder)?.id ?? []);
      return [[name, new Map(ids.map((id) => [id, true as const]))] as const];
    }),
  );
}

/** A group that a rule finds by its name is an entitlement of that name. */
function groupsIn({ test }: TestWorld): Census["groups"] {
  return new Map(
    Object.keys(test.entitlements).map((name) => [name, { id: name, appId: "", displayName: name }]),
  );
}
