import { describe, expect, it } from "vitest";
import { type Unreviewed, unreviewedLines } from "../../../../src/report/forms/comment/unreviewed.js";

const NONE = { changed: [], added: [], gone: [], other: [], lost: 0 };
const linesOf = (steps: Unreviewed["steps"]) =>
  unreviewedLines({
    as: "apply",
    reviewed: "sha256:a",
    effect: "sha256:b",
    steps,
    range: { base: "b1", commit: "c1" },
  })[2]?.split("\n");

describe("what changed since a review", () => {
  it("names each step, where the comment of the review lists them", () => {
    const steps = { ...NONE, changed: ["A/one k"], added: ["A/two k"], gone: ["A/three k"] };
    expect(linesOf(steps)?.slice(2)).toEqual([
      "- does something else now: <code>A/one k</code>",
      "- was not in the review: <code>A/two k</code>",
      "- was reviewed, and is not needed or not possible any more: <code>A/three k</code>",
    ]);
  });

  it("names what is not as it was, and counts what is gone, where the comment lists marks", () => {
    expect(linesOf({ ...NONE, other: ["A/one k"], lost: 2 })?.slice(2)).toEqual([
      "- does something else now, or was not in the review: <code>A/one k</code>",
      "- 2 reviewed steps changed, or not needed or not possible any more",
    ]);
  });

  it("says that a commit with a second effect needs a push", () => {
    const about = { reviewed: "sha256:a", effect: "sha256:b", range: null } as const;
    const lines = unreviewedLines({ as: "plan", ...about, steps: { ...NONE, changed: ["A/one k"] } });
    expect(lines.join("\n")).toMatch(/can no longer be approved[\s\S]*A\/one k[\s\S]*push a commit/);
  });

  it("says where to look, where the comment lists neither", () => {
    expect(linesOf(null)?.join("\n")).toContain("are not known here");
  });
});
