import { describe, expect, it } from "vitest";
import type { World } from "../../../src/cli/world/world.js";
import { printIds, printJson, printTable, printYaml } from "../../../src/commands/get/get.js";
import type { Got } from "../../../src/commands/get/objects.js";

const HOSTILE = "\u001b[31mred\u202e ##[error] gone";

const MANIFEST = `spec:\n  displayName: ${JSON.stringify(HOSTILE)}\n`;

const got: Got = {
  objects: [
    {
      address: { kind: "ResourceType", name: "team" },
      observed: { key: ["app\u001b[2J", "id"], fields: { displayName: HOSTILE } },
      isDescribed: false,
      note: null,
    },
  ],
  lists: [
    {
      of: "app",
      only: null,
      isWhole: true,
      rows: [{ id: "id\u001b[2J", name: HOSTILE, app: null }],
    },
  ],
  values: [
    { attribute: "profile.\u001b[2J", values: [{ value: HOSTILE, users: 2 }], without: 1, isWhole: true },
  ],
  unknown: () => [],
  async *texts() {
    yield MANIFEST;
  },
};

/** What is printed of it, on a terminal or into a file. */
async function shown(print: (world: World, got: Got) => unknown, isTerminal: boolean): Promise<string> {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  await print({ stdout: { isTerminal, columns: 80, rows: 24, write } } as unknown as World, got);
  return text;
}

describe("what the tenant contains", () => {
  it.each([
    ["ids", printIds],
    ["a table", printTable],
    ["JSON", printJson],
    ["YAML", printYaml],
  ])("is printed as %s without a command for a terminal or a log", async (_, print) => {
    const text = await shown(print, true);
    for (const command of ["\u001b", "\u202e", "##["]) expect(text).not.toContain(command);
    expect(text).toContain("id");
  });

  it("goes into a file byte for byte, as YAML that a manifest can be made of", async () => {
    expect(await shown(printYaml, false)).toContain(MANIFEST);
  });

  it("is one JSON value", async () => {
    const { objects, apps } = JSON.parse(await shown(printJson, false));
    expect([objects[0].manifest.spec.displayName, apps[0].name]).toEqual([HOSTILE, HOSTILE]);
  });
});
