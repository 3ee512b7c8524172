import { type Address, formatAddress } from "../../model/address.js";
import { say } from "../../words/say.js";
import { columnOf, eolOf } from "../lines.js";
import { edited, type Hindrance, type Operation, type Replaced } from "./edit.js";
import { anchoredIn, findValue, isFlow, type Spot } from "./find.js";
import { editBlockItems, editFlowItems } from "./items.js";
import { flowMember, flowText, indented, memberLines, rowLines } from "./like.js";
import { heldIn, type Opened, openManifests, type RowOrMember } from "./opened.js";
import { setValue } from "./setValue.js";

/** What to change in one manifest. */
interface Amendment {
  readonly address: Address;
  readonly operations: readonly Operation[];
}

/** An operation that was not carried out, and why. */
export interface RefusedOperation {
  readonly address: Address;
  readonly operation: Operation;
  readonly refusal: Hindrance;
}

/**
 * Changes values under `spec` of the manifests of a text exactly where they are written. Every other byte of the text
 * stays. An operation whose text is shared with another place is refused, and the others are carried out.
 */
export function splice(
  text: string,
  isJson: boolean,
  changes: readonly Amendment[],
): { readonly text: string; readonly refused: readonly RefusedOperation[] } {
  const manifests = openManifests(text, isJson);
  const edits: Replaced[] = [];
  const refusals: RefusedOperation[] = [];
  for (const { address, operations } of changes) {
    const opened = manifests.get(formatAddress(address));
    for (const operation of operations) {
      const made = opened === undefined ? notThere(address) : editsOf(opened, operation);
      if ("code" in made) refusals.push({ address, operation, refusal: made });
      else edits.push(...made);
    }
  }
  return { text: edited(text, edits), refused: refusals };
}

const NOWHERE = { range: [0, 0] } as const;

function notThere({ name }: Address): Hindrance {
  const isRow = name.endsWith("]");
  return isRow
    ? say("accept/named-value#shape", {}, NOWHERE)
    : say("accept/unwritable#noManifest", {}, NOWHERE);
}

function editsOf(opened: Opened, operation: Operation): readonly Replaced[] | Hindrance {
  const found = findValue(opened, operation.path);
  if ("code" in found) return found;
  const { node, held } = found;
  switch (operation.do) {
    case "set": {
      if (held === null) return say("accept/unwritable#whole", {}, NOWHERE);
      const anchored = anchoredIn(opened, node, [held.start, held.end], operation.path);
      return anchored ?? setValue(opened, { ...found, held }, operation.value, operation.isProse);
    }
    case "rows":
      return rows(opened, found, operation);
    case "members":
      return members(opened, found, operation);
    case "swap":
      return swap(opened, found, operation);
    default:
      return operation satisfies never;
  }
}

function rows(
  opened: Opened,
  { node }: Spot,
  { path, removed, added }: Extract<Operation, { do: "rows" }>,
): readonly Replaced[] | Hindrance {
  const held = heldIn(opened.text, node);
  const anchored = firstAnchored(opened, held, new Set(removed), path);
  if (anchored !== null) return anchored;
  // A row is like the one before it.
  const like = held.at(-1);
  return isFlow(node)
    ? editFlowItems(
        opened.text,
        held,
        new Set(removed),
        added.map((row) => flowText(row, like?.node ?? null, opened)),
      )
    : editBlockItems(
        opened.text,
        held,
        new Set(removed),
        added.map((row) => rowLines(row, like, opened)),
      );
}

function members(
  opened: Opened,
  { node }: Spot,
  { path, removed, added }: Extract<Operation, { do: "members" }>,
): readonly Replaced[] | Hindrance {
  const held = heldIn(opened.text, node);
  const places = new Set<number>();
  for (const name of removed) {
    const place = held.findIndex((one) => one.name === name);
    if (place >= 0) places.add(place);
    else {
      const own = findValue(opened, [...path, name]);
      return "code" in own ? own : say("accept/unwritable#missing", { path: name }, NOWHERE);
    }
  }
  const anchored = firstAnchored(opened, held, places, path);
  if (anchored !== null) return anchored;
  if (held.length === 0) {
    const [start, end] = node?.range ?? [0, 0];
    const inside = added.map((one) => flowMember(one, undefined, opened)).join(", ");
    return [{ range: [start, end], text: inside === "" ? "{}" : `{ ${inside} }` }];
  }
  return isFlow(node)
    ? editFlowItems(
        opened.text,
        held,
        places,
        added.map((one) => flowMember(one, undefined, opened)),
      )
    : editBlockItems(
        opened.text,
        held,
        places,
        added.map((one) => memberLines(one, undefined, opened)),
      );
}

function swap(
  opened: Opened,
  { node }: Spot,
  { path, from, to }: Extract<Operation, { do: "swap" }>,
): readonly Replaced[] | Hindrance {
  const held = heldIn(opened.text, node).find(({ name }) => name === from);
  if (held === undefined) {
    const own = findValue(opened, [...path, from]);
    return "code" in own ? own : say("accept/unwritable#missing", { path: from }, NOWHERE);
  }
  const anchored = anchoredIn(opened, held.node, [held.start, held.end], [...path, from]);
  if (anchored !== null) return anchored;
  const eol = eolOf(opened.text);
  const column = columnOf(opened.text, held.start);
  const text = isFlow(node)
    ? flowMember(to, undefined, opened)
    : indented(memberLines(to, isFlow(held.node) ? held : undefined, opened), column)
        .join(eol)
        .trimStart();
  return [{ range: [held.start, held.end], text }];
}

function firstAnchored(
  opened: Opened,
  held: readonly RowOrMember[],
  places: ReadonlySet<number>,
  path: Operation["path"],
): Hindrance | null {
  for (const place of places) {
    const one = held[place];
    if (one === undefined) continue;
    const name = one.name ?? place;
    const refusal = anchoredIn(opened, one.node, [one.start, one.end], [...path, name]);
    if (refusal !== null) return refusal;
  }
  return null;
}
