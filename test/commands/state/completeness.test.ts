import { expect, test } from "vitest";
import type { World } from "../../../src/cli/world/world.js";
import { completenessLines, completenessWith } from "../../../src/commands/state/completeness.js";
import { kinds } from "../../../src/kinds/index.js";

test("each kind states the gaps of its inventory", () => {
  const stated = completenessWith("auto");
  expect(stated.map(({ kind }) => kind)).toEqual(kinds.map(({ name }) => name));
  for (const { name, inventory } of kinds)
    expect(stated.find(({ kind }) => kind === name)?.gaps.map(({ message }) => message)).toEqual(
      inventory.gaps.map(({ message }) => message),
    );
});

test("an interface without a list shows only what was applied", () => {
  const [first, ...others] = completenessWith({ [kinds[0]?.name ?? ""]: "core" });
  expect(first?.gaps).toEqual([
    {
      misses: "objects",
      message: "The interface core has no list of these objects, so remit shows only what it applied.",
    },
  ]);
  expect(others).toEqual(completenessWith("full").slice(1));
});

test("kinds with the same gaps share a line", () => {
  const stderr = { isTerminal: true, columns: 400 };
  const lines = completenessLines({ stderr, env: {} } as World, completenessWith("core"));
  expect(lines.match(/has no list/g)).toHaveLength(1);
  expect(lines).toContain(kinds.map(({ name }) => name).join(", "));
});
