import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { decode } from "../../src/state/codec.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { following } from "../contracts/store.js";
import { stateText } from "../fakes/stateText.js";

const NAME = ".remit/state.json";
const snapshot = following(newSnapshot("lineage", "https://tenant.example"), ["b", "a", "__proto__"]);
const text = stateText(snapshot, "0.1.0");

function refusal(damagedText: string): {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
} {
  try {
    decode(damagedText, NAME);
  } catch (error) {
    return (error as { diagnostic: { code: string; message: string; hint?: string } }).diagnostic;
  }
  throw new Error("it was accepted");
}

describe("the text of a snapshot", () => {
  it("is read back as what was written", () => {
    expect(decode(text, NAME)).toEqual(snapshot);
    expect(Object.hasOwn((decode(text, NAME) as Snapshot).entries, "ResourceType:app/__proto__")).toBe(true);
  });

  it("is the same for equal snapshots, whatever order they were made in", () => {
    const entries = Object.fromEntries(Object.entries(snapshot.entries).reverse());
    expect(stateText({ ...snapshot, entries }, "0.1.0")).toBe(text);
  });

  it("keeps the file and the original fields of an entry, and reads entries without them", () => {
    const [[name = "", entry] = []] = Object.entries(snapshot.entries);
    const more = { ...entry, file: "reviews/a.yaml", original: { displayName: null } };
    const told = { ...snapshot, entries: { ...snapshot.entries, [name]: more } } as typeof snapshot;
    expect(decode(stateText(told, "0.1.0"), NAME)).toEqual(told);
    const odd = stateText(told, "0.1.0").replace('"reviews/a.yaml"', "7");
    expect(refusal(odd).message).toContain("file");
  });

  it("holds a field that was answered as it was sent once, and writes it as it was read", () => {
    const [[name = "", entry] = []] = Object.entries(snapshot.entries);
    const scope = { user: ["u"], app: {} };
    const [applied, other] = [
      { displayName: "A", scope },
      { scope: { app: {}, user: ["u"] }, displayName: "A", note: "n" },
    ];
    const answers = [applied, { ...applied, note: "n" }, other, null];
    const read = answers.map((answered) => {
      const entries = { [name]: { ...entry, applied, answered } };
      const written = stateText({ ...snapshot, entries } as Snapshot, "0.1.0");
      const back = decode(written, NAME) as Snapshot;
      expect(stateText(back, "0.1.0")).toBe(written);
      return back.entries[name];
    });
    const [whole, more, spelled] = read;
    expect(whole?.answered).toBe(whole?.applied);
    expect(more?.answered?.scope).toBe(more?.applied.scope);
    expect(spelled?.answered?.scope).not.toBe(spelled?.applied.scope);
  });

  it("has one line for each entry", () => {
    const lines = text.split("\n").filter((line) => line.startsWith('    "ResourceType:app/'));
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(lines.toSorted());
  });

  it("is what schemas/state.json says", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    const check = ajv.compile(JSON.parse(readFileSync("schemas/state.json", "utf8")));
    const create = {
      address: { kind: "K", name: "n" },
      key: null,
      applied: {},
      at: "2026-01-01T00:00:00.000Z",
      why: "lost",
      sent: true,
    };
    const whole = stateText({ ...snapshot, uncertain: { "K/n": create } }, "0.1.0");
    check(JSON.parse(whole));
    expect(check.errors).toBeNull();
  });

  it("of an empty snapshot is small and whole", () => {
    const empty = newSnapshot("lineage", "server");
    expect(decode(stateText(empty, "0.1.0"), NAME)).toEqual(empty);
  });
});

describe("a text that cannot be used", () => {
  const [[place = "", entry] = []] = Object.entries(snapshot.entries);
  const changed = (entries: object) =>
    stateText({ ...snapshot, entries: { ...snapshot.entries, ...entries } } as Snapshot, "0.1.0");
  const twin = { ...entry, key: ["app", "twin"] };

  const damages: readonly { readonly how: string; readonly text: string; readonly says: string }[] = [
    { how: "that breaks off", text: text.slice(0, -20), says: "breaks off" },
    { how: "that is empty", text: "", says: "breaks off" },
    { how: "that is something else", text: "[]", says: "not JSON" },
    { how: "with a serial that is none", text: text.replace('"serial": 1', '"serial": -1'), says: "serial" },
    { how: "with a key that is none", text: text.replace('"key":["app"', '"key":[7'), says: "`key`" },
    { how: "with an entry under another key", text: changed({ [place]: twin }), says: "twin" },
    {
      how: "with two objects of one address",
      text: changed({ "ResourceType:app/twin": twin }),
      says: "have one address",
    },
  ];
  it.each(damages)("$how is refused, saying why", ({ text: bad, says }) => {
    const { code, message } = refusal(bad);
    expect(code).toBe("state/damaged");
    expect(message).toContain(".remit/state.json is damaged");
    expect(message).toContain(says);
  });

  it("of a newer format is refused with the version that wrote it", () => {
    const newer = text.replace('"formatVersion": 1', '"formatVersion": 2').replace("0.1.0", "7.3.0");
    const { code, message, hint } = refusal(newer);
    expect(code).toBe("state/newer-format");
    expect(message).toContain("7.3.0");
    expect(hint).toContain("7.3.0");
  });

  it.each([
    ["without a format", text.replace("formatVersion", "version"), "format"],
    ["without a lineage", text.replace('"lineage"', '"line"'), "`lineage` is missing"],
    [
      "with an entry that lacks a member",
      text.replace('"protected":false', '"guarded":false'),
      "`protected` of `ResourceType:app/",
    ],
    [
      "with a higher number and without a member",
      text.replace('"formatVersion": 1', '"formatVersion": 2').replace("lastApplied", "landed"),
      "`lastApplied` is missing",
    ],
  ])("%s is of no released format", (_, bad, says) => {
    const { code, message, hint } = refusal(bad);
    expect(code).toBe("state/unreleased-format");
    expect(message).toContain(says);
    expect(hint).toContain("remit import");
  });
});
