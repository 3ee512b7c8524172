import { describe, expect, it } from "vitest";
import { load, templateScope } from "./loading.js";

const OURS = templateScope("  scope: { userCriteria: { userStatus: [ENABLED] } }\n");

/** A manifest with a conflict after its first line. */
function conflicting(...lines: readonly string[]): string {
  const [first, ...rest] = OURS.split("\n");
  return [first, ...lines, ...rest].join("\n");
}

describe("a merge conflict in a manifest", () => {
  it("is one diagnostic, which names its lines", async () => {
    const text = conflicting("<<<<<<< HEAD", "kind: One", "=======", "kind: Two", ">>>>>>> other");
    const { diagnostics, value } = await load(text);
    expect(diagnostics).toMatchObject([
      {
        code: "yaml/merge-conflict",
        severity: "error",
        message: "unresolved merge conflict, lines 2–6",
        span: { start: { line: 2, column: 1 } },
      },
    ]);
    expect(value).toEqual([]);
  });

  it("is one diagnostic for each place", async () => {
    const block = (name: string) => ["<<<<<<< HEAD", `a: ${name}`, "=======", `b: ${name}`, ">>>>>>> other"];
    const { diagnostics } = await load(conflicting(...block("one"), "c: 1", ...block("two")));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "unresolved merge conflict, lines 2–6",
      "unresolved merge conflict, lines 8–12",
    ]);
  });

  it("is found with line ends of Windows, and without its last mark", async () => {
    const text = conflicting("<<<<<<< HEAD", "a: 1", "=======", "b: 1", ">>>>>>> other").replaceAll(
      "\n",
      "\r\n",
    );
    expect((await load(text)).diagnostics[0]?.message).toBe("unresolved merge conflict, lines 2–6");
    const open = `${OURS}<<<<<<< HEAD\na: 1\n`;
    const last = open.trimEnd().split("\n").length;
    expect((await load(open)).diagnostics[0]?.message).toBe(
      `unresolved merge conflict, lines ${last - 1}–${last}`,
    );
  });

  it("is nothing that stands inside a text", async () => {
    const text = OURS.replace("metadata:\n", "metadata:\n  annotations:\n    shown: |\n      <<<<<<< HEAD\n");
    const { diagnostics } = await load(text);
    expect(diagnostics).toEqual([]);
  });
});
