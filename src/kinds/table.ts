import type { Key } from "../model/key.js";
import { outlineSpec } from "../schema/outline.js";
import type { SpecShape } from "../schema/shape.js";
import { membersOf } from "./envelope.js";
import type { Trail } from "./inventory.js";
import type { Concern, Kind, KindPart, KindReads } from "./kind.js";
import { get, search } from "./reads.js";
import type { KindRow, PartRow } from "./row.js";
import { hasOwnId, pathOf, type See, seeing } from "./rowRecords.js";
import { laterFields, writing } from "./rowWrites.js";
import { hasSameName, keyAsked, keyBy } from "./spelling.js";

/** A kind as its row says: the one reader of rows. */
export function kindFrom(row: KindRow): Kind {
  const { noun, replies, parts, parents, existsBy, isNamedOnce, builtIn, also = {} } = row;
  const shape = outlineSpec(row.schema);
  const hasId = hasOwnId(row);
  const concern = concernOf(row);
  const later = laterFields(row);
  const see = seeing(row, shape);
  const { read, created = read, updated = read } = replies;
  const observe: KindReads["observe"] = (body, key) =>
    also.observe === undefined ? see(body, [read, updated, created], key) : also.observe(body, key, shape);
  const list = listOf(row, shape, see);
  return {
    ...row,
    ...also,
    noun: { one: noun[0], many: noun[1] },
    shape,
    verbs: row.verbs ?? { core: [], full: ["create", "update", "delete"] },
    isPointedAt: hasId,
    isMasked: row.isWhole !== true,
    holdsOthers: concern.as === "holdings" || concern.as === "profile",
    key: keyBy(shape),
    ...(hasId ? { matches: also.matches ?? hasSameName } : {}),
    ...(hasId && isNamedOnce !== true ? { namesRepeat: true as const } : {}),
    ...(later.length === 0 ? {} : { followsCreate: later }),
    ...(builtIn && {
      isBuiltIn: ({ fields }) => Object.entries(builtIn).every(([name, value]) => fields[name] === value),
    }),
    reads: {
      ...(existsBy && { existsBy }),
      one: (key) => get(`Get${row.name}`, pathOf(row.at, shape, key), membersOf(read).slice(0, 1)),
      observe,
      ...(row.isList && { isList: row.isList }),
      ...(parts && { parts: parts.map((part) => partOf(part, shape)) }),
      ...(parents && {
        parents: {
          of: (ids) => search(parents.search, { [parents.by]: [...ids] }),
          within: (all) => search(parents.search, { [parents.within]: all.map(([parent = ""]) => parent) }),
          row: (one) => see(one, [""], []),
        },
      }),
      ...(replies.row === undefined ? {} : { list }),
    },
    concern,
    inventory: {
      trails: row.found.map((trail) => ({ ...ownTrail(noun[1], list), ...trail })),
      gaps: row.gaps ?? [],
    },
    calls: writing(row, shape),
    // Of an object with parts, any reply may be about one of them.
    answer: (work, replies) => {
      const own = parts === undefined ? replies.slice(-1) : replies;
      return own.flatMap((reply) => observe(reply, keyAsked(work, shape)) ?? []).at(-1);
    },
  };
}

function partOf(part: PartRow, shape: SpecShape): KindPart {
  if (part.as === "items" || part.as === "lists") return part;
  const { operation, at, expects, none, ...rest } = part;
  return { ...rest, none, call: (key: Key) => get(operation, pathOf(at, shape, key), expects) };
}

type List = NonNullable<KindReads["list"]>;

function listOf({ name, at, replies, listed }: KindRow, shape: SpecShape, see: See): List {
  const collection = at.slice(0, at.lastIndexOf("/"));
  return {
    of: (key) => listed?.() ?? get(`List${name}s`, pathOf(collection, shape, key), ["list"]),
    row: (row, key) => see(row, [replies.row ?? ""], key),
  };
}

function ownTrail(noun: string, { of, row }: List): Trail {
  return {
    noun,
    per: "tenant",
    on: ["full"],
    call: (app) => of([app]),
    keys(shown, app) {
      const observed = row(shown, [app]);
      return observed === undefined ? [] : [observed.key];
    },
    shows: "the object",
    isRequired: true,
  };
}

function concernOf({ takesAlong: as, concern }: KindRow): Concern {
  if (as === undefined) return concern ?? { as: "nothing" };
  return { as: "holdings", of: (key) => ({ as, appId: key[0] ?? "", id: key.at(-1) ?? "" }) };
}
