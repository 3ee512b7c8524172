import { type AskedInterface, isAskedBlind } from "../../kinds/interface.js";
import type { Kind, Writers } from "../../kinds/kind.js";
import { REFERABLE } from "../../kinds/lookups.js";
import {
  type EntitlementRef,
  introspection,
  listAccounts,
  listExclusions,
  listHolders,
  searchUsers,
} from "../../kinds/people.js";
import { referable } from "../../kinds/referable.js";
import type { Call } from "../../model/call.js";
import type { Key } from "../../model/key.js";
import type { Target } from "../../schema/shape.js";

/** What some read needs that only another read shows. */
export interface Samples {
  /** An app; null where none was seen. */
  readonly app: string | null;
  readonly entitlement: EntitlementRef | null;
  /** An entitlement that a rule is about. */
  readonly ruled: EntitlementRef | null;
  /** An object of a kind, by the kind's name. */
  readonly object: (kind: string) => Key | null;
}

/** One read of a feature, and whether a plan needs it. */
export interface FeatureRead {
  /** What it shows, for a sentence: `the list of apps`. */
  readonly shows: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** Null where the sample is missing that the call needs. */
  readonly call: (samples: Samples) => Call | null;
  /** What happens without it, as a sentence. */
  readonly without: string;
}

/** Something that remit does, and what it needs of the service. */
export interface Feature {
  /** The name of a kind, or what else is read. */
  readonly name: string;
  readonly reads: readonly FeatureRead[];
  /** What it writes; null for nothing. */
  readonly writes: { readonly writers: Writers | null } | null;
}

/** What some kinds need, and what every project needs beside them. On `core`, remit reads no object and finds none. */
export function featuresOf(kinds: readonly Kind[], asked: AskedInterface): readonly Feature[] {
  const isRead = ({ name }: Kind) => !isAskedBlind(asked, name);
  return [
    ...kinds
      .filter((kind) => isRead(kind) || kind.verbs.core.length > 0)
      .map((kind) => ofKind(kind, isRead(kind))),
    { name: "names", reads: TARGETS.flatMap(naming), writes: null },
    PEOPLE,
  ];
}

function ofKind(kind: Kind, isRead: boolean): Feature {
  const reads = isRead ? [oneOf(kind), ...partsOf(kind), ...finding(kind)] : [];
  return { name: kind.name, reads, writes: { writers: kind.writers ?? null } };
}

const NO_PLAN = "A plan ends with an error, unless `interface: core` lets it use what was last applied.";

function oneOf({ name, noun, reads }: Kind): FeatureRead {
  return {
    shows: `one ${noun.one}`,
    isList: false,
    isRequired: true,
    without: NO_PLAN,
    call: ({ object }) => {
      const key = object(name);
      return key === null ? null : reads.one(key);
    },
  };
}

/** The reads of what the service keeps of an object behind calls of their own. */
function partsOf({ name, noun, reads: { parts = [] } }: Kind): readonly FeatureRead[] {
  return parts.flatMap((part): readonly FeatureRead[] => {
    const shows = `the ${part.noun} of one ${noun.one}`;
    if (part.as === "lists") {
      const without = `A plan leaves the ${part.noun} of ${noun.many} as they are, and says so.`;
      const call: FeatureRead["call"] = ({ object }) => {
        const key = object(name);
        return key === null ? null : (part.calls(key)[0] ?? null);
      };
      return [{ shows, isList: true, isRequired: false, without, call }];
    }
    const call: FeatureRead["call"] = ({ object, entitlement }) => {
      const key = object(name);
      if (key === null) return null;
      if (part.as !== "items") return part.call(key);
      return entitlement === null ? null : part.call(key, { ...entitlement });
    };
    return [{ shows, isList: part.as === "list", isRequired: true, without: NO_PLAN, call }];
  });
}

function finding({ inventory: { trails } }: Kind): readonly FeatureRead[] {
  return trails.map(({ noun, per, call }) => ({
    shows: `the list of ${noun}`,
    isList: true,
    isRequired: false,
    without: "Import and get find fewer objects.",
    call: ({ app }) => (per === "tenant" ? call("") : app === null ? null : call(app)),
  }));
}

function naming(of: Target): readonly FeatureRead[] {
  const { noun, list } = referable(of);
  if (list === null) return [];
  return [
    {
      shows: `the ${list.shows === "one name" ? "search for" : "list of"} ${noun.many}`,
      isList: true,
      isRequired: false,
      without: "A manifest must write ids, and plans show ids.",
      call: ({ app }) => {
        if (list.within === "app") return app === null ? null : list.call(app, "");
        return list.call("", NO_NAME);
      },
    },
  ];
}

// A name that nothing has: the search shows whether it may be used.
const NO_NAME = "remit-doctor@invalid";

const PEOPLE: Feature = {
  name: "people",
  writes: null,
  reads: [
    ofPeople("the search for all users", () => searchUsers(null)),
    ofPeople("the grants of an entitlement", of(listHolders)),
    ofPeople("the users that an automation leaves out", ({ ruled }) =>
      ruled === null ? null : listExclusions(ruled),
    ),
    ofPeople("the accounts of an app", ({ app }) => (app === null ? null : listAccounts(app))),
    { ...ofPeople("whose credentials these are", () => introspection()), isList: false },
  ],
};

function ofPeople(shows: string, call: FeatureRead["call"]): FeatureRead {
  const without = "Numbers of people are ranges or unknown.";
  return { shows, isList: true, isRequired: false, without, call };
}

function of(call: (entitlement: EntitlementRef) => Call): FeatureRead["call"] {
  return ({ entitlement }) => (entitlement === null ? null : call(entitlement));
}

const TARGETS = Object.keys(REFERABLE) as readonly Target[];
