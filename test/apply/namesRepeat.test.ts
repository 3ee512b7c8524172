import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../src/apply/settle.js";
import type { Seen } from "../../src/current/known.js";
import { namesakes } from "../../src/current/names/unclear.js";
import type { Kind, Observed } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";

const kind: Kind = { ...resourceType, namesRepeat: true };
const SENT = { displayName: "Crew", traitIds: [] };
const AT = Date.parse("2026-03-01T08:00:00Z");

function seen(...objects: readonly Observed[]): Seen {
  return { as: "unread", diagnostic: namesakes(kind, objects), namesakes: objects };
}

const made = (milliseconds: number | null, more: object = {}): Observed => ({
  key: ["gh", "crew"],
  fields: { ...SENT, ...more },
  ...(milliseconds !== null && { createdAt: new Date(milliseconds).toISOString() }),
});

describe("a create whose reply was lost, of a kind whose names repeat", () => {
  it("made the only object of its name that is newer than the intent and equals what was sent", () => {
    expect(settle(SENT, seen(made(AT + 1)), kind, AT)).toMatchObject({
      as: "there",
      seen: { key: ["gh", "crew"] },
    });
  });

  it.each([
    ["an older object", [made(AT - 60_000)], AT],
    ["an object without a time", [made(null)], AT],
    ["an intent without a time", [made(AT + 1)], null],
    ["an object with another content", [made(AT + 1, { traitIds: ["other"] })], AT],
    ["two objects", [made(AT + 1), { ...made(AT + 1), key: ["gh", "twin"] }], AT],
  ])("may have made %s, so nothing is settled", (_what, objects, at) => {
    expect(settle(SENT, seen(...objects), kind, at)).toMatchObject({ as: "unknown" });
  });

  it("never takes an object that was there seconds before the intent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_001, max: 1e9 }), (before) => {
        expect(settle(SENT, seen(made(AT - before)), kind, AT).as).toBe("unknown");
      }),
    );
  });
});

describe("what a plan says of a namesake", () => {
  it("is the line that adopts it", () => {
    expect(namesakes(kind, [made(AT)])).toMatchObject({
      code: "plan/namesake",
      hint: "To manage that one, write `id: crew`. To create another one, give it another displayName.",
    });
  });
  it("is the list of candidates where there are several", () => {
    const hint = namesakes(kind, [made(AT), { ...made(AT), key: ["gh", "twin"] }]).hint;
    expect(hint).toContain("Crew (crew), Crew (twin)");
  });
});
