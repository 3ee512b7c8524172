import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { arrange } from "../../../src/manifest/format/arrange.js";
import { print } from "../../../src/manifest/format/print.js";
import { hidesText } from "../../../src/manifest/format/unseen.js";
import { plantTree, yamlOf } from "../../../src/manifest/format/write.js";
import type { Json, JsonObject } from "../../../src/model/json.js";
import { cases } from "../../fakes/cases.js";

const TEXT = fc.oneof(
  fc.constantFrom(
    "",
    "~",
    "yes",
    "012",
    "1e3",
    "2024-01-01",
    "- x",
    "a: b",
    "# no",
    "a\nb",
    "a\n",
    "\n a\n\n",
    "a\r\nb",
    "<<",
    "{x}",
    "a #b",
    "é😀",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    TEXT,
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(TEXT, tie("value"), { maxKeys: 3 }),
  ),
}));

/** A text with an escape of JSON, or with what only the one writer escapes. */
const isEscaped = (text: string) => /\\[urbf]/.test(text) || hidesText(text);

describe("a tree that is planted", () => {
  it("says what the object says, whatever its texts contain", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), value, { minKeys: 1, maxKeys: 4 }),
        (object) => {
          const text = print([{ above: [], text: "", beside: [], root: plantTree(object as JsonObject) }]);
          expect(parseYaml(text, { schema: "core" })).toEqual(object);
          expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
        },
      ),
      { numRuns: cases(100) },
    );
  });

  it("is the tree that grows from the same object's YAML", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), value, { minKeys: 1, maxKeys: 4 }),
        (object) => {
          const root = plantTree(object as JsonObject);
          let grown: string;
          try {
            grown = print(arrange(yamlOf(object as JsonObject)));
          } catch {
            // A name that has no place in a manifest.
            return;
          }
          // The one writer escapes more than the other.
          if (isEscaped(JSON.stringify(object))) return;
          expect(print([{ above: [], text: "", beside: [], root }])).toBe(grown);
        },
      ),
      { numRuns: cases(100) },
    );
  });
});
