import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { text } from "../wire/member.js";

const SMALLEST = 10;
const USUAL = 25;
const LARGEST = 100;

/** How many rows more than asked an overlong page holds. */
const OVERSHOOT = 13;

/** A part of a longer list, and the token that leads to the next; empty at the end. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

/**
 * The page that the request's `pageSize` and `pageToken` ask for, of the rows that `keep` keeps. The work is
 * that of the rows passed, not of the rows there are.
 */
export function pageOf<Row>(
  request: JsonObject,
  world: World,
  groups: readonly (readonly Row[])[],
  keep: (row: Row) => boolean,
): Page<Row> {
  const size = sizeOf(request, world);
  const token = text(request, "pageToken");
  const start = token === "" ? { group: 0, row: 0 } : readToken(token);
  let last = start;
  const rows: Row[] = [];
  for (let group = start.group; group < groups.length; group += 1) {
    const all = groups[group] ?? [];
    for (let place = group === start.group ? start.row : 0; place < all.length; place += 1) {
      const row = all[place];
      if (row === undefined || !keep(row)) continue;
      if (rows.length === size) {
        const repeated = world.quirks.repeatPageToken === true && token !== "";
        const next = world.quirks.shiftingPages === true ? last : { group, row: place };
        return { rows, nextPageToken: repeated ? token : writeToken(next) };
      }
      rows.push(row);
      last = { group, row: place };
    }
  }
  return { rows, nextPageToken: "" };
}

/** The contract has a size below 10 mean 10; of the service it is known that 0 is as good as none. */
function sizeOf(request: JsonObject, world: World): number {
  const asked = request.pageSize;
  const given = typeof asked === "number" && (asked !== 0 || world.interface === "core");
  const size = given ? Math.min(Math.max(asked, SMALLEST), LARGEST) : USUAL;
  if (world.quirks.pages === "short") return Math.ceil(size / 2);
  return world.quirks.pages === "overlong" ? size + OVERSHOOT : size;
}

/** Where a row stands among the groups. */
interface Position {
  readonly group: number;
  readonly row: number;
}

function writeToken({ group, row }: Position): string {
  return Buffer.from(`page:${group}:${row}`).toString("base64url");
}

function readToken(token: string): Position {
  const found = /^page:(\d{1,9}):(\d{1,9})$/.exec(Buffer.from(token, "base64url").toString("latin1"));
  if (found === null) throw new Refusal("invalidArgument", "invalid page token");
  return { group: Number(found[1]), row: Number(found[2]) };
}
