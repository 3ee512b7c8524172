import { expect, it } from "vitest";
import { printManifests } from "../../../src/cli/print/manifests.js";

it.each([
  ["a terminal", true, "description: a\\x1b[31mb\n---\nkind: x\n"],
  ["a file", false, "description: a\u001b[31mb\n---\nkind: x\n"],
])("manifests reach %s with what a terminal obeys only where none reads", (_, isTerminal, expected) => {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  printManifests({ isTerminal, columns: 80, rows: 24, write }, "description: a\u001b[31mb\n---\nkind: x\n");
  expect(text).toBe(expected);
});
