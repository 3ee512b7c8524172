import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call, ListEffort } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { readPeople } from "../../src/tenant/people.js";
import type { Remote } from "../../src/tenant/reads.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { cases } from "../fakes/cases.js";

/** A row of a list: its rank never changes, and a row that enters gets one between two others. */
interface Row {
  readonly id: string;
  readonly rank: number;
}

/** Before so many pages are given: a row leaves its place, or one enters there. No row comes back. */
interface Move {
  readonly at: number;
  readonly place: number;
  readonly leaves: boolean;
}

/** How a token leads to the next page: by the place of its first row, or by the row before it. */
type Paging = "by place" | "by row";

const SIZE = 3;

/** A list of so many rows, whose pages are given one at a time in the order in which they are asked for. */
function listOf(count: number, moves: readonly Move[], paging: Paging) {
  let rows: readonly Row[] = Array.from({ length: count }, (_, at) => ({ id: `r${at}`, rank: at }));
  const states = [rows];
  let given = 0;

  function move({ place, leaves }: Move, number: number): void {
    const one = rows[place];
    const before = rows.slice(0, place).at(-1)?.rank ?? -1;
    const rank = (before + (one?.rank ?? before + 2)) / 2;
    if (!leaves) rows = rows.toSpliced(place, 0, { id: `new${number}`, rank });
    else if (one !== undefined && !one.id.startsWith("new")) rows = rows.toSpliced(place, 1);
    states.push(rows);
  }

  function pageAt(token: string): readonly [page: readonly Row[], next: string] {
    for (const [number, one] of moves.entries()) if (one.at === given) move(one, number);
    given += 1;
    const isLater = ({ rank }: Row) => token === "" || rank > Number(token);
    const rest = paging === "by row" ? rows.filter(isLater) : rows.slice(Number(token));
    const page = rest.slice(0, SIZE);
    const next = paging === "by row" ? String(page.at(-1)?.rank) : String(Number(token) + SIZE);
    return [page, rest.length > SIZE ? next : ""];
  }

  const remote = {
    async *pages(_call: Call, effort?: ListEffort) {
      for (let token = effort?.from ?? ""; ; ) {
        const [page, next] = pageAt(token);
        yield { rows: page.map(({ id }): Json => ({ user: { id }, appUser: { id } })), next };
        if (next === "") return;
        token = next;
      }
    },
    pace: { limit: (work: () => unknown) => work(), lend: (wait: () => unknown) => wait() },
  } as unknown as Remote;
  return { remote, states, given: () => given };
}

const anyMove = fc.record({ at: fc.nat(8), place: fc.nat(14), leaves: fc.boolean() });
const anyList = fc.record({
  count: fc.integer({ min: 0, max: 14 }),
  moves: fc.array(anyMove, { maxLength: 4 }),
  paging: fc.constantFrom<Paging>("by place", "by row"),
});
const REF = { appId: "app", id: "group" };

describe("a list that moves while it is read", () => {
  it("is everything only where it shows what was there at one moment", async () => {
    let steady = 0;
    await fc.assert(
      fc.asyncProperty(anyList, async ({ count, moves, paging }) => {
        const { remote, states } = listOf(count, moves, paging);
        const reads = readPeople(makeTenant(remote).reader(), 100);
        const holders = await reads.holders(REF);
        if (holders === null) return;
        steady += 1;
        const namesOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
        const shown = [...holders.keys()].sort();
        expect(states.map(namesOf)).toContainEqual(shown);
      }),
      { numRuns: cases(300, 1_000) },
    );
    expect(steady).toBeGreaterThan(0);
  });

  it("is everything where nothing moves, and each page but the last is read twice", async () => {
    await fc.assert(
      fc.asyncProperty(anyList, async ({ count, paging }) => {
        const { remote, given } = listOf(count, [], paging);
        const reader = makeTenant(remote).reader();
        const ids: unknown[] = [];
        const list = await readPeople(reader, 100).users(null, (rows) =>
          ids.push(...rows.map(({ id }) => id)),
        );
        expect([list.isEnded, await list.isSteady, ids.length]).toEqual([true, true, count]);
        expect(given()).toBe(2 * Math.max(1, Math.ceil(count / SIZE)) - 1);
        expect(reader.calls()).toEqual({ users: given() });
      }),
      { numRuns: cases(40, 100) },
    );
  });

  it("is not everything where the budget leaves no calls to read its pages again", async () => {
    const { remote, given } = listOf(3 * SIZE, [], "by place");
    const reader = makeTenant(remote).reader();
    expect(await readPeople(reader, 4).holders(REF)).toBeNull();
    expect(given()).toBe(3);
    expect(await readPeople(reader, 5).holders(REF)).not.toBeNull();
  });
});
