import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { runInside } from "../../fakes/inside.js";
import { stateText } from "../../fakes/stateText.js";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "remit-complete-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

function manifest(kind: string, name: string): string {
  return `apiVersion: remit/v1\nkind: ${kind}\nmetadata: { name: ${JSON.stringify(name)} }\n`;
}

function state(...names: readonly string[]): string {
  const address = (name: string) => ({ kind: "ResourceType", name });
  const applied = { displayName: "Team" };
  const [unclear = "", ...kept] = names;
  const entries = kept.map((name) => [
    `ResourceType:app/${name}`,
    {
      address: address(name),
      key: ["app", name],
      applied,
      answered: null,
      rewritten: [],
      at: "",
      protected: false,
    },
  ]);
  const uncertain = { address: address(unclear), key: null, applied, at: "", why: "", sent: true };
  return stateText(
    {
      ...newSnapshot("lineage", "sandbox"),
      serial: 1,
      entries: Object.fromEntries(entries),
      uncertain: { [`ResourceType/${unclear}`]: uncertain },
    },
    "0.1.0",
  );
}

async function offered(...words: readonly string[]): Promise<readonly string[]> {
  return offeredIn({}, ...words);
}

async function offeredIn(
  env: Record<string, string>,
  ...words: readonly string[]
): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runInside(["__complete", ...words], { cwd, env });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

describe("--acknowledge", () => {
  const guard = (name: string, level: string) =>
    `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: ${name} }\nspec: { on: {}, trips: "true", message: Ask us., level: ${level} }\n`;

  it("is completed with the guards that can be acknowledged, those of the team included, and with addresses", async () => {
    write("remit.yaml", "manifests: [reviews]\nguards: { own: [guards] }\n");
    write("reviews/q4.yaml", manifest("TemplateScope", "q4"));
    const all = [guard("freeze", "acknowledge"), guard("contractors", "deny"), guard("hint", "note")];
    write("guards/ours.yaml", all.join("---\n"));
    const names = await offered("plan", "--acknowledge", "");
    expect(names).toContain("max-deletes");
    expect(names.filter((name) => name.startsWith("own/"))).toEqual(["own/freeze"]);
    expect(await offered("apply", "--acknowledge=own/")).toEqual(["--acknowledge=own/freeze"]);
    expect(await offered("plan", "--acknowledge", "own/freeze=")).toEqual(["own/freeze=TemplateScope/q4"]);
    expect(await offered("plan", "--acknowledge", "own/other=")).toEqual([]);
  });

  it("is completed with those of remit where the team's cannot be read", async () => {
    write("remit.yaml", "guards: { own: [guards] }\n");
    write("guards/ours.yaml", "kind: [\n");
    expect(await offered("plan", "--acknowledge", "every")).toEqual(["everyone"]);
  });
});

describe("--target", () => {
  it("is completed with the addresses of the project's manifests, each once and in order", async () => {
    write("remit.yaml", "manifests: [reviews, types]\nserver: sandbox\n");
    write("reviews/q4.yaml", `${manifest("TemplateScope", "q4")}---\n${manifest("TemplateScope", "q3")}`);
    write(
      "types/team.json",
      JSON.stringify({ apiVersion: "remit/v1", kind: "ResourceType", metadata: { name: "team" } }),
    );
    write("types/again.yaml", manifest("ResourceType", "team"));
    write("drafts/q1.yaml", manifest("TemplateScope", "q1"));
    const all = ["ResourceType/team", "TemplateScope/q3", "TemplateScope/q4"];
    expect(await offered("plan", "--target", "")).toEqual(all);
    expect(await offered("apply", "--yes", "--target", "TemplateScope/")).toEqual(all.slice(1));
    expect(await offered("plan", "--target=Res")).toEqual(["--target=ResourceType/team"]);
  });

  it("is completed from the manifests that are named on the line", async () => {
    write("remit.yaml", "manifests: [reviews]\n");
    write("reviews/q4.yaml", manifest("TemplateScope", "q4"));
    write("drafts/q1.yaml", manifest("TemplateScope", "q1"));
    write("plan.json", "{}");
    expect(await offered("plan", "drafts", "--target", "")).toEqual(["TemplateScope/q1"]);
    expect(await offered("plan", "--out", "plan.json", "--state", "drafts", "--target", "")).toEqual([
      "TemplateScope/q4",
    ]);
  });

  it("is completed though a manifest or the project's file is not right yet, and says nothing of it", async () => {
    write("remit.yaml", "manifests: [reviews]\nserver: 7\nunknown: true\n");
    write("reviews/half.yaml", `${manifest("TemplateScope", "half")}spec: { templateId: \n`);
    write("reviews/new.yaml", "apiVersion: remit/v1\nkind: TemplateScope\nmetadata:\n");
    write("reviews/q4.yaml", `${manifest("TemplateScope", "q4")}spec: 7\n`);
    expect(await offered("plan", "--target", "")).toContain("TemplateScope/q4");
  });

  it("offers no address that a shell could read as more than a word", async () => {
    const names = ["$(touch seen)", "`id`", "a b", "a;b", "a\nb", "a\tb", "-rf", "\u001b[2J", "ok"];
    for (const [at, name] of names.entries()) write(`${at}.yaml`, manifest("ResourceType", name));
    write("kind.yaml", manifest('"Resource$(id)Type"', "x"));
    expect(await offered("plan", "--target", "")).toEqual(["ResourceType/ok"]);
  });

  it("is completed with nothing where there is nothing to read", async () => {
    expect(await offered("plan", "--target", "")).toEqual([]);
    write("remit.yaml", "manifests: [nowhere]\n");
    expect(await offered("plan", "--target", "")).toEqual([]);
    write("remit.yaml", "a: [");
    write("broken.yaml", "remit/v1: [");
    expect(await offered("plan", "--target", "")).toEqual([]);
  });
});

describe("the address of a state command", () => {
  const ALL = ["ResourceType/role", "ResourceType/team"];

  it.each(["show", "forget"])(
    "%s is completed with what is remembered, the uncertain too",
    async (command) => {
      write(".remit/state.json", state("team", "role"));
      expect(await offered("state", command, "")).toEqual(ALL);
      expect(await offered("state", command, "ResourceType/t")).toEqual(["ResourceType/team"]);
      expect(await offered("state", command, "ResourceType/team", "")).toEqual([]);
      expect(readdirSync(join(cwd, ".remit"))).toEqual(["state.json"]);
    },
  );

  it("has the key of a former object, which a target may have, too", async () => {
    const former = state("team", "role", "old").replace(
      '"protected":false',
      '"protected":false,"former":true',
    );
    write(".remit/state.json", former);
    const named = ["ResourceType/old@app/old", "ResourceType/role", "ResourceType/team"];
    expect(await offered("state", "forget", "")).toEqual(named);
    expect(await offered("plan", "--target", "ResourceType/o")).toEqual(["ResourceType/old@app/old"]);
  });

  it("is looked for in the state that the line, a variable or the project names", async () => {
    write("other.json", state("team", "role"));
    expect(await offered("state", "show", "--state", "other.json", "")).toEqual(ALL);
    expect(await offered("state", "show", "--state=other.json", "")).toEqual(ALL);
    expect(await offeredIn({ REMIT_STATE: "other.json" }, "state", "show", "")).toEqual(ALL);
    write("remit.yaml", "state: other.json\n");
    expect(await offered("state", "show", "")).toEqual(ALL);
  });

  it("asks no server for a state that is not on this machine", async () => {
    let asked = 0;
    const server = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    for (const state of [
      `postgres://remit@127.0.0.1:${port}/remit`,
      `s3://bucket/key?endpoint=http://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/state`,
    ])
      expect(await offered("state", "show", "--state", state, "")).toEqual([]);
    await new Promise((closed) => server.close(closed));
    expect(asked).toBe(0);
  });

  it("is nothing without a state that can be read", async () => {
    expect(await offered("state", "show", "")).toEqual([]);
    write(".remit/state.json", '{ "formatVersion": 1');
    expect(await offered("state", "show", "")).toEqual([]);
    write(".remit/state.json", '{ "formatVersion": 99, "writtenBy": "9.0.0" }');
    expect(await offered("state", "forget", "")).toEqual([]);
  });
});
