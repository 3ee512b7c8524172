import { type Address, formatAddress } from "../model/address.js";
import {
  hasMembers,
  isAddress,
  isCount,
  isFlag,
  isKey,
  isListOf,
  isMap,
  isMapOf,
  isText,
  isTexts,
  type Members,
  misfit,
  orAbsent,
  orNull,
  such,
} from "../model/expectation.js";
import { isObject, type JsonObject } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import type { Misfit } from "./format.js";

const CREATED: Members = {
  address: isAddress,
  key: isKey,
  isUnfinished: orAbsent(such((value) => value === true)),
};
const APPLYING: Members = {
  effect: isText,
  done: isTexts,
  isComplete: isFlag,
  created: orAbsent(isListOf(hasMembers(CREATED))),
  deleted: orAbsent(isListOf(isMap)),
};
const APPLIED_BY: Members = { host: isText, user: orNull(isText), job: orNull(isText), since: isText };
const HISTORY: Members = {
  number: isCount,
  hash: isText,
  run: isText,
  secret: isText,
  keys: isTexts,
  texts: orAbsent(hasMembers({ from: isText, key: isText })),
};

const DOCUMENT: Members = {
  writtenBy: isText,
  lineage: isText,
  serial: isCount,
  server: isText,
  project: orAbsent(isText),
  appliedBy: orAbsent(hasMembers(APPLIED_BY)),
  history: orAbsent(hasMembers(HISTORY)),
  wasRead: isFlag,
  entries: isMap,
  uncertain: isMap,
  existing: isMap,
  applying: orNull(hasMembers(APPLYING)),
  lastApplied: isMapOf(isText),
};

const SEALED: Members = {
  writtenBy: isText,
  lineage: isText,
  serial: isCount,
  project: orAbsent(isText),
  effect: orNull(isText),
  sealed: isText,
};
const MOVED: Members = {
  writtenBy: isText,
  lineage: isText,
  serial: isCount,
  movedTo: isText,
  seal: orAbsent(isText),
};

/** What a write leaves of an object. */
export const RECORD: Members = {
  applied: isMap,
  answered: orNull(isMap),
  rewritten: isTexts,
  createdAt: orAbsent(isText),
  protected: isFlag,
  unknown: orAbsent(isTexts),
  late: orAbsent(isMapOf(isText)),
  drift: orAbsent(isMap),
  createOnly: orAbsent(isMap),
  file: orAbsent(isText),
  original: orAbsent(isMap),
  unverified: orAbsent(isMap),
  meanings: orAbsent(isMapOf(isText)),
  labels: orAbsent(isMapOf(isText)),
  former: orAbsent(isFlag),
};

const ENTRY: Members = { address: isAddress, key: isKey, at: isText, ...RECORD };

const UNCERTAIN: Members = {
  address: isAddress,
  key: orNull(isKey),
  applied: isMap,
  of: orAbsent(hasMembers({ effect: isText, step: isText })),
  createOnly: orAbsent(isMap),
  at: isText,
  why: isText,
  sent: isFlag,
  since: orAbsent(isText),
};

const EXISTING: Members = { at: isText, why: isText };

/** What keeps a document from being a sealed snapshot; null when nothing does. */
export function misfitInSealed(document: JsonObject): Misfit | null {
  return misfitOf(document, SEALED);
}

/** What keeps a document from being the mark of a state that was moved; null when nothing does. */
export function misfitInMoved(document: JsonObject): Misfit | null {
  return misfitOf(document, MOVED);
}

/** What keeps an object from having the members that it should; null when nothing does. `of` is how it is called. */
export function misfitOf(object: JsonObject, members: Members, of = ""): Misfit | null {
  const found = misfit(object, members);
  if (found === null) return null;
  const isLacking = found.fit === "lacking";
  const place = of === "" ? `its \`${found.name}\`` : `\`${found.name}\` of \`${of}\``;
  return { isLacking, what: `${place} is ${isLacking ? "missing" : "not what it should be"}` };
}

/** What keeps a document from being a snapshot, naming the place; null when nothing does. */
export function misfitIn(document: JsonObject): Misfit | null {
  const found = [
    misfitOf(document, DOCUMENT),
    ...misfitsInTable(document, "entries", ENTRY),
    ...misfitsInTable(document, "uncertain", UNCERTAIN),
    ...misfitsInTable(document, "existing", EXISTING),
  ].filter((one) => one !== null);
  return found.find(({ isLacking }) => isLacking) ?? found[0] ?? misplaced(document.entries);
}

function misfitsInTable(document: JsonObject, table: string, members: Members): readonly (Misfit | null)[] {
  const rows = document[table];
  return Object.entries(isObject(rows) ? rows : {}).map(([name, row]) =>
    isObject(row)
      ? misfitOf(row, members, name)
      : { isLacking: false, what: `\`${name}\` of \`${table}\` is not an object` },
  );
}

/** An entry stands under its own key, and one object alone has an address; former ones had it before. */
function misplaced(entries: unknown): Misfit | null {
  const owners = new Map<string, string>();
  for (const [place, entry] of Object.entries(entries as Readonly<Record<string, Placed>>)) {
    const address = formatAddress(entry.address);
    const own = formatKey(entry.address.kind, entry.key);
    if (own !== place) return { isLacking: false, what: `\`${place}\` is the entry of \`${own}\`` };
    if (entry.former === true) continue;
    const other = owners.get(address);
    if (other !== undefined)
      return { isLacking: false, what: `\`${other}\` and \`${place}\` have one address, ${address}` };
    owners.set(address, place);
  }
  return null;
}

interface Placed {
  readonly address: Address;
  readonly key: Key;
  readonly former?: boolean;
}
