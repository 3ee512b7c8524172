import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import { runInside } from "../fakes/inside.js";
import { stateText } from "../fakes/stateText.js";
import { folder } from "../manifest/folder.js";
import { entry, snapshot } from "../plan/worlds.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** A state of four types, of which one is former, one protected, and one uncertain. */
function begin(answer?: string | ((cwd: string) => string)) {
  const kind = kinds.find(({ name }) => name === "ResourceType");
  if (kind === undefined) throw new Error("no such kind");
  const entries = [
    entry(kind, "old-team", [APP, "1"], {}),
    entry(kind, "team", [APP, "2"], {}, { former: true }),
    entry(kind, "team", [APP, "3"], {}, { protected: true }),
    entry(kind, "role", [APP, "4"], {}),
  ];
  const { entries: table } = snapshot(entries);
  const lost = {
    address: { kind: "ResourceType", name: "old-lost" },
    key: null,
    applied: {},
    at: "",
    why: "",
    sent: true,
  };
  const state = {
    ...newSnapshot("l", "sandbox"),
    serial: 1,
    entries: table,
    uncertain: { "ResourceType/old-lost": lost },
  };
  const cwd = folder({ "remit.yaml": "server: sandbox\n", ".remit/state.json": stateText(state, "0.1.0") });
  const said = typeof answer === "function" ? () => answer(cwd) : answer;
  return {
    forget: (...argv: readonly string[]) =>
      runInside(["state", "forget", ...argv], { cwd, env: {}, ...(said !== undefined && { answer: said }) }),
    left: () => {
      const read = JSON.parse(readFileSync(join(cwd, ".remit/state.json"), "utf8"));
      return [...Object.keys(read.entries).map((name) => name.split("/")[1]), ...Object.keys(read.uncertain)];
    },
  };
}

it("state forget --uncertain forgets creates whose result is unknown, and nothing that was applied", async () => {
  const { forget, left } = begin();
  expect((await forget("--uncertain", "ResourceType/team*")).code).toBe(1);
  const { code, stdout } = await forget("--uncertain", "*/*");
  expect([code, stdout]).toEqual([
    0,
    "forgot ResourceType/old-lost; an apply of its manifest creates it again\n",
  ]);
  expect(left()).toEqual(["1", "2", "3", "4"]);
});

it("state forget takes an address, an address with a key, and a pattern", async () => {
  const { forget, left } = begin();
  expect((await forget(`ResourceType/team@${APP}/2`)).stdout).toMatch(
    /^forgot ResourceType\/team@.*\/2; it is no longer/,
  );
  expect(left()).toEqual(["1", "3", "4", "ResourceType/old-lost"]);
  const { code, stdout } = await forget("ResourceType/old-*");
  expect([code, stdout.split("\n").length]).toEqual([0, 3]);
  expect(left()).toEqual(["3", "4"]);
  expect((await forget("ResourceType/none-*")).code).toBe(1);
  expect((await forget(`*@${APP}/4`)).code).toBe(0);
  expect(left()).toEqual(["3"]);
});

it("state forget leaves a protected object managed without an acknowledgement of it", async () => {
  const { forget, left } = begin();
  const all = left();
  const { code, stderr } = await forget("ResourceType/team");
  expect([code, stderr]).toEqual([4, expect.stringContaining("--acknowledge protected=ResourceType/team")]);
  expect((await forget("ResourceType/*")).code).toBe(4);
  expect((await forget("ResourceType/team", "--acknowledge", "protected=ResourceType/role")).code).toBe(4);
  expect(left()).toEqual(all);
  expect((await forget("ResourceType/team", "--acknowledge", "protected=ResourceType/team")).code).toBe(0);
  expect(left()).toEqual(["1", "2", "4", "ResourceType/old-lost"]);
});

it.each([
  ["yes", 0],
  ["no", 4],
] as const)(
  "state forget asks at a terminal before it leaves a protected object: %s",
  async (answer, expected) => {
    const { forget, left } = begin(answer);
    const { code, stderr } = await forget("ResourceType/team");
    expect([code, stderr]).toEqual([
      expected,
      expect.stringContaining("ResourceType/team is protected. Stop managing it?"),
    ]);
    expect(left().includes("3")).toBe(answer === "no");
  },
);

it("state forget asks without the lock: a Ctrl-C at the question leaves none", async () => {
  const locked: boolean[] = [];
  const { forget, left } = begin((cwd) => {
    locked.push(existsSync(join(cwd, ".remit/state.json.lock")));
    return "yes";
  });
  expect((await forget("ResourceType/team")).code).toBe(0);
  expect(locked).toEqual([false]);
  expect(left()).not.toContain("3");
});
