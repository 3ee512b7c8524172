import { type AskedInterface, askedFor } from "../../kinds/interface.js";
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

/** One read of a feature, and whether the feature works without it. */
export interface FeatureRead {
  /** What it shows, for a sentence: `the list of apps`. */
  readonly shows: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** Null where the sample is missing that the call needs. */
  readonly call: (samples: Samples) => Call | null;
}

/** Something that remit does, and what it needs of the service. */
export interface Feature {
  readonly name: string;
  readonly reads: readonly FeatureRead[];
  /** What it writes; null for nothing. */
  readonly writes: { readonly writers: Writers | null } | null;
  /** What happens without a read, as a sentence. */
  readonly without: string;
}

/** Everything that remit does with a tenant. On `core` it reads no object and finds none. */
export function featuresOf(kinds: readonly Kind[], asked: AskedInterface): readonly Feature[] {
  const isRead = ({ name }: Kind) => askedFor(asked, name) !== "core";
  return [
    ...kinds
      .filter((kind) => isRead(kind) || kind.verbs.core.length > 0)
      .map((kind) => planning(kind, isRead(kind))),
    ...kinds.filter(isRead).map(finding),
    ...TARGETS.filter((of) => referable(of).list !== null).map(naming),
    PEOPLE,
  ];
}

function planning(kind: Kind, isRead: boolean): Feature {
  return {
    name: `plan and apply ${kind.name}`,
    reads: isRead ? [oneOf(kind), ...partsOf(kind)] : [],
    writes: { writers: kind.writers ?? null },
    without: "A plan ends with an error, unless `interface: core` lets it use what was last applied.",
  };
}

function oneOf({ name, noun, reads }: Kind): FeatureRead {
  return {
    shows: `one ${noun.one}`,
    isList: false,
    isRequired: true,
    call: ({ object }) => {
      const key = object(name);
      return key === null ? null : reads.one(key);
    },
  };
}

/** The reads of what the service keeps of an object behind calls of their own. */
function partsOf({ name, noun, reads: { parts = [] } }: Kind): readonly FeatureRead[] {
  return parts.map(({ noun: part, call, isList }) => ({
    shows: `the ${part} of one ${noun.one}`,
    isList,
    isRequired: true,
    call: ({ object }) => {
      const key = object(name);
      return key === null ? null : call(key);
    },
  }));
}

function finding(kind: Kind): Feature {
  const { trails } = kind.inventory;
  const lists = trails.map(
    ({ noun, per, call, isRequired }): FeatureRead => ({
      shows: `the list of ${noun}`,
      isList: true,
      isRequired,
      call: ({ app }) => (per === "tenant" ? call("") : app === null ? null : call(app)),
    }),
  );
  return {
    name: `import and get ${kind.name}`,
    // A list that shows only keys leads to objects, and each has to be read.
    reads: trails.some(({ shows }) => shows === "the key")
      ? [...lists, oneOf(kind), ...partsOf(kind)]
      : lists,
    writes: null,
    without: "remit finds fewer of these objects, or cannot read them, and says so.",
  };
}

function naming(of: Target): Feature {
  const { noun, list } = referable(of);
  return {
    name: `names of ${noun.many}`,
    reads: [
      {
        shows: list?.shows === "one name" ? `the search for ${noun.many}` : `the list of ${noun.many}`,
        isList: true,
        isRequired: false,
        call: ({ app }) => {
          if (list?.within === "app") return app === null ? null : list.call(app, "");
          return list?.call("", NO_NAME) ?? null;
        },
      },
    ],
    writes: null,
    without: "A manifest must write ids, and plans show ids.",
  };
}

// A name that nothing has: the search shows whether it may be used.
const NO_NAME = "remit-doctor@invalid";

const PEOPLE: Feature = {
  name: "who gains and who loses access",
  reads: [
    { shows: "the search for all users", isList: true, isRequired: false, call: () => searchUsers(null) },
    { shows: "the grants of an entitlement", isList: true, isRequired: false, call: of(listHolders) },
    {
      shows: "the users that an automation leaves out",
      isList: true,
      isRequired: false,
      call: ({ ruled }) => (ruled === null ? null : listExclusions(ruled)),
    },
    {
      shows: "the accounts of an app",
      isList: true,
      isRequired: false,
      call: ({ app }) => (app === null ? null : listAccounts(app)),
    },
    { shows: "whose credentials these are", isList: false, isRequired: false, call: () => introspection() },
  ],
  writes: null,
  without: "Numbers of people are ranges or unknown, and `guards.maxLosing` may refuse an apply.",
};

function of(call: (entitlement: EntitlementRef) => Call): FeatureRead["call"] {
  return ({ entitlement }) => (entitlement === null ? null : call(entitlement));
}

const TARGETS = Object.keys(REFERABLE) as readonly Target[];
