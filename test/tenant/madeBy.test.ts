import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Observed } from "../../src/kinds/kind.js";
import { resource as kind } from "../../src/kinds/resource.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { madeBy } from "../../src/tenant/madeBy.js";
import { namesakes } from "../../src/tenant/names/unclear.js";

const SENT = { displayName: "Crew", description: "The crew." };
const AT = Date.parse("2026-03-01T08:00:00Z");

const made = (milliseconds: number | null, more: object = {}): Observed => ({
  key: ["gh", "team", "crew"],
  fields: { ...SENT, ...more },
  ...(milliseconds !== null && { createdAt: new Date(milliseconds).toISOString() }),
});

describe("a create of unknown result, of a kind whose names repeat", () => {
  it("made the only object of its name that is newer than the create and equals what was sent", () => {
    const one = made(AT + 1);
    expect(madeBy({ applied: SENT, since: AT }, [one], kind)).toBe(one);
  });

  it("made an object whose fields that a create does not take are not set yet", () => {
    const [one, applied] = [made(AT + 1), { ...SENT, traitIds: ["admin"] }];
    expect(madeBy({ applied, since: AT }, [one], resourceType)).toBe(one);
  });

  it.each([
    ["an older object", [made(AT - 60_000)], AT],
    ["an object without a time", [made(null)], AT],
    ["an object, where its own time is not known", [made(AT + 1)], null],
    ["an object with another content", [made(AT + 1, { description: "Another one." })], AT],
    ["one of two objects", [made(AT + 1), { ...made(AT + 1), key: ["gh", "team", "twin"] }], AT],
    ["nothing", [], AT],
  ])("is not known to have made %s", (_what, objects, since) => {
    expect(madeBy({ applied: SENT, since }, objects, kind)).toBeUndefined();
  });

  it("never made an object that was there seconds before it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_001, max: 1e9 }), (before) => {
        expect(madeBy({ applied: SENT, since: AT }, [made(AT - before)], kind)).toBeUndefined();
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
    const hint = namesakes(kind, [made(AT), { ...made(AT), key: ["gh", "team", "twin"] }]).hint;
    expect(hint).toContain("Crew (crew), Crew (twin)");
  });
});
