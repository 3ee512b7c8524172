import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memberNamed, openGroups, resourceNamed, ruleNamed } from "../../fakes/groups.js";

it("a run that left steps is proved only with the head of the history, which names them", async () => {
  const scene = await openGroups();
  try {
    scene.project.write([
      resourceNamed("eng", "Engineering"),
      memberNamed("eng", "eng"),
      ruleNamed("eng", "eng"),
    ]);
    const accepted = ["--acknowledge", "nobody"];
    await scene.remit(0, "plan", ...accepted, "--out", "plan.json");
    const { effect } = JSON.parse(readFileSync(join(scene.project.cwd, "plan.json"), "utf8"));
    const apply = ["apply", "--yes", ...accepted, "--expect", effect, "--evidence", "evidence"];
    scene.disturb("CreateEntitlement", { fault: "error", status: 403 });
    await scene.remit(3, ...apply);
    await scene.remit(0, ...apply);

    const { head, records } = JSON.parse((await scene.run("history", "--format", "json")).stdout);
    expect(records.map(({ unwritten }: { unwritten: unknown }) => unwritten)).toEqual([
      [],
      [{ address: "EntitlementAutomation/eng", action: "create", outcome: "skipped" }],
    ]);
    for (const format of ["text", "markdown"])
      expect(await scene.remit(0, "history", records[1].run, "--format", format)).toMatch(
        /create skipped .*EntitlementAutomation\/eng.* nothing was written/,
      );

    const verify = ["evidence", "verify", "evidence", "--unsigned"];
    const alone = await scene.remit(0, ...verify);
    expect(alone).toContain(
      "1: that 2 steps took effect: the record does not say done, and without --head nothing shows",
    );
    expect(alone.match(/ proved /g)).toHaveLength(1);
    const withHead = await scene.remit(0, ...verify, "--head", `${head.number}:${head.hash}`);
    expect(withHead).toContain("1: that 2 steps took effect: the record does not say done ");
    expect(withHead.match(/ proved /g)).toHaveLength(3);
  } finally {
    await scene.close();
  }
});
