import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { TerraformInstance } from "../../../../src/commands/import/terraform/state.js";
import { handoverOf } from "../../../../src/commands/import/terraform/terraform.js";

function instance(address: string, resource: string): TerraformInstance {
  return { kind: "ResourceType", key: ["a", address], address, resource, called: "x", unseen: {} };
}

const ONE = instance("t.one", "t.one");
const FIRST = instance("t.many[0]", "t.many");
const SECOND = instance("t.many[1]", "t.many");

describe("handing over from Terraform", () => {
  it("takes a block without keys where every instance is imported", () => {
    const state = { instances: [ONE, FIRST, SECOND], skipped: [], others: 0 };
    expect(handoverOf(state, () => true)).toEqual({
      blocks: [
        "removed {\n  from = t.one\n  lifecycle {\n    destroy = false\n  }\n}\n",
        "removed {\n  from = t.many\n  lifecycle {\n    destroy = false\n  }\n}\n",
      ],
      commands: [],
    });
  });

  it("takes a command for each imported instance where another one is not", () => {
    const state = { instances: [FIRST, SECOND], skipped: [], others: 0 };
    expect(handoverOf(state, ({ address }) => address === "t.many[1]")).toEqual({
      blocks: [],
      commands: ["terraform state rm 't.many[1]'"],
    });
    expect(handoverOf(state, () => false)).toEqual({ blocks: [], commands: [] });
  });

  it("counts an instance that remit cannot take as one that is not imported", () => {
    const skipped = [{ address: "t.many[2]", resource: "t.many", why: "deposed" }];
    const { blocks, commands } = handoverOf({ instances: [FIRST], skipped, others: 0 }, () => true);
    expect([blocks, commands]).toEqual([[], ["terraform state rm 't.many[0]'"]]);
  });

  it.runIf(process.platform !== "win32")("quotes an address for a shell", () => {
    const address = `t.many["it's \`$(id)\` \\"x\\" !"]`;
    const { commands } = handoverOf(
      { instances: [instance(address, "t.many"), ONE, SECOND], skipped: [], others: 0 },
      (one) => one.address === address,
    );
    const [command = ""] = commands;
    const printed = execFileSync("sh", ["-c", command.replace(/^terraform state rm/, "printf %s")], {
      encoding: "utf8",
    });
    expect(printed).toBe(address);
  });
});
