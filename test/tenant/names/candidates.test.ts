import { describe, expect, it } from "vitest";
import { alike, makeCandidates } from "../../../src/tenant/names/candidates.js";

const many = makeCandidates(
  Array.from({ length: 30 }, (_, at) => ({ id: `id${at}`, name: `Group ${at}`, alias: `team-${at}` })),
);

describe("the candidates for a wrong name", () => {
  it("are three at most, after the nearest one's alias", () => {
    const shown = alike(many, "alias", "team-21x");
    expect(shown).toMatch(
      /^Did you mean team-21\? The service lists 30; the nearest: Group 21 \(alias team-21, id21\), /,
    );
    expect(shown.match(/alias team-/g)).toHaveLength(3);
  });

  it("are all of a short list", () => {
    const few = makeCandidates([
      { id: "1", name: "Alpha" },
      { id: "2", name: "Omega", alias: "last" },
    ]);
    expect(alike(few, "name", "Omaga")).toBe(
      "Did you mean Omega? The service lists 2, the nearest first: Omega (alias last, 2), Alpha (1).",
    );
  });

  it("are none where the service lists none", () => {
    expect(alike(makeCandidates([]), "name", "x")).toBe("The service lists none at all.");
  });

  it("are one where the same row is on two pages of a list", () => {
    const shifted = makeCandidates([
      { id: "1", name: "Admin" },
      { id: "2", name: "Before" },
      { id: "2", name: "Member" },
    ]);
    expect([...shifted.every()].map(({ id }) => id)).toEqual(["1", "2"]);
    expect(shifted.called("name", "Member")).toHaveLength(1);
    expect(shifted.called("name", "Before")).toEqual([]);
  });
});
