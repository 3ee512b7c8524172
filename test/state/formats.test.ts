import { describe, expect, it } from "vitest";
import { Secret } from "../../src/model/secret.js";
import { decode } from "../../src/state/codec.js";
import { readStateKeys } from "../../src/state/encryption/key.js";
import { openRescue, sealRescue } from "../../src/state/encryption/rescue.js";
import { withKeys } from "../../src/state/encryption/store.js";
import { filesOf, headIn } from "../../src/state/git/document.js";
import { decodeHead, encodeHead, type StateHead } from "../../src/state/head.js";
import { decodeDocument, encodeDocument } from "../../src/state/http/http.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import { hashOfRecord } from "../../src/state/record.js";
import { type Kept, newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { StateError } from "../../src/state/store.js";
import { walkHistory } from "../../src/state/walkHistory.js";
import { type Format, formatContract, STORED } from "../contracts/formats.js";
import { following, keptRecord, owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { recordText } from "../fakes/recordText.js";
import { stateText } from "../fakes/stateText.js";

const VERSION = "0.1.0";
const NAME = "the state";
const OWNER = owner("one");
const SNAPSHOT = { lineage: "lineage", serial: 1, name: ".state/1-a" };
const HEAD: StateHead = {
  ...{ formatVersion: 1, writtenBy: VERSION, turn: 1, proved: "here", isLost: false },
  ...{ snapshot: SNAPSHOT, before: SNAPSHOT },
  journal: { batches: [".journal/a-1"], lines: ["line"] },
  lock: { token: "token", owner: OWNER },
};
const keys = readStateKeys(new Secret(Buffer.alloc(32, 1).toString("base64")));
const first = following(newSnapshot("lineage", "https://tenant.example"), ["one"]);
const address = { kind: "ResourceType", name: "lost" };
const snapshot: Snapshot = {
  ...first,
  history: { number: 1, hash: "0", run: "run", secret: "secret", keys: ["key"] },
  appliedBy: { host: "host", user: null, job: null, since: "2026-01-01T00:00:00Z" },
  applying: { effect: "sha256:0", done: [], isComplete: false, created: [{ address, key: ["app", "id"] }] },
  uncertain: {
    "ResourceType/lost": { address, key: null, applied: {}, at: "", why: "no reply", sent: true },
  },
  existing: { "ResourceType:app/other": { at: "", why: "shown" } },
};

/** The code of the `StateError` of some work; null without one. */
async function codeOf(work: () => unknown): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StateError) return error.diagnostic.code;
    throw error;
  }
}
const stored = (text: string, read: (text: string) => unknown, more: Partial<Format> = {}): Format => ({
  text,
  refusal: (changed) => codeOf(() => read(changed)),
  codes: STORED,
  ...more,
});
function memory(journal: readonly string[] = [], encrypted = true) {
  const contents: MemoryContents<Kept> = memoryContents();
  contents.journal = [...journal];
  return withKeys(memoryStore(contents, handClock()), {
    keys: encrypted ? keys : [],
    place: "here",
    version: VERSION,
  });
}

describe("a text in a store", () => {
  formatContract("a state", () =>
    stored(stateText(snapshot, VERSION), (text) => decode(text, NAME), {
      contents: ["applied"],
      optional: [
        ...["history", "appliedBy", "created"],
        ...[...Object.keys(snapshot.entries), ...Object.keys(snapshot.uncertain)],
        ...Object.keys(snapshot.existing),
      ],
    }),
  );
  formatContract("an encrypted state", async () => {
    const contents: MemoryContents<Kept> = memoryContents();
    const lock = await withKeys(memoryStore(contents, handClock()), {
      keys,
      place: "here",
      version: VERSION,
    }).lock(OWNER, { timeout: 0 });
    await lock.save(first);
    if (contents.snapshot === null) throw new Error("it was saved");
    // Without `sealed`, it is a readable state that lacks more.
    return stored(stateText(contents.snapshot, VERSION), (text) => decode(text, NAME));
  });
  formatContract("the mark of a state that was moved", () =>
    stored(stateText({ lineage: "lineage", serial: 1, movedTo: "elsewhere" }, VERSION), (text) =>
      decode(text, NAME),
    ),
  );
  formatContract("a head", () => {
    return stored(encodeHead(HEAD), (text) => decodeHead(text, NAME));
  });
  formatContract("a document on a server", () => {
    const text = encodeDocument(NAME, { head: encodeHead(HEAD), parts: {} }, VERSION);
    return stored(text, (changed) => decodeDocument(changed, NAME), {
      contents: ["head"],
      // It is the protocol's.
      optional: ["lineage"],
    });
  });
  formatContract("a commit", () => {
    const { files } = filesOf(HEAD, { put: new Map(), drop: [] });
    const read = (text: string) => headIn(new Map([["remit.json", text]]), NAME, "refs/remit/state");
    return stored(files.get("remit.json") ?? "", read, { optional: ["project", "lock"] });
  });
  formatContract("a journal", () => {
    const head = { at: "2026-01-01T00:00:00Z", type: "run", formatVersion: 1, run: "run", server: "server" };
    const text = JSON.stringify({
      ...head,
      lineage: "lineage",
      serial: 1,
      effect: "sha256:0",
      project: "one",
    });
    // A line of another type is not a head.
    return stored(text, (line) => memory([line], false).read(), { optional: ["project", "type"] });
  });
  formatContract("a run record", () => {
    const fields = [{ name: "displayName", before: null, after: "0" }];
    const step = { address: "A/a", key: null, action: "update", outcome: "done", requests: [], fields };
    const read = async (text: string) => {
      const contents: MemoryContents<Kept> = memoryContents();
      const record = keptRecord(text);
      contents.records.set(record.hash, text);
      const head = { number: 1, hash: hashOfRecord(text), run: "run", secret: "secret", keys: [record.key] };
      await walkHistory(memoryStore(contents, handClock()), head, () => true);
    };
    return stored(recordText(1, null, { steps: [step] }), read);
  });
});

describe("a text that is encrypted", () => {
  async function sealed() {
    const contents: MemoryContents<Kept> = memoryContents();
    const store = withKeys(memoryStore(contents, handClock()), { keys, place: "here", version: VERSION });
    const lock = await store.lock(OWNER, { timeout: 0 });
    const record = keptRecord(recordText(1, null));
    void lock.append(record);
    const history = { number: 1, hash: record.hash, run: "run", secret: "secret", keys: [record.key] };
    await lock.save({ ...first, history });
    await lock.journal.append("{}");
    await lock.release();
    return { contents, store, history };
  }
  type Sealed = Awaited<ReturnType<typeof sealed>>;
  const parts: readonly [
    string,
    string,
    (one: Sealed, change: (text: string) => string) => Promise<unknown>,
  ][] = [
    [
      "snapshot",
      "state",
      async ({ contents, store }, change) => {
        const kept = contents.snapshot;
        if (kept === null || !("sealed" in kept)) throw new Error("it is sealed");
        contents.snapshot = { ...kept, sealed: change(kept.sealed) };
        await store.read();
      },
    ],
    [
      "line",
      "line",
      async ({ contents, store }, change) => {
        contents.journal = contents.journal.map(change);
        await store.read();
      },
    ],
    [
      "record",
      "record",
      async ({ contents, store, history }, change) => {
        for (const [hash, text] of contents.records) contents.records.set(hash, change(text));
        await walkHistory(store, history, () => true);
      },
    ],
    ["rescue file", "rescue", async (_, change) => openRescue(change(sealRescue("{}", keys)), NAME, keys)],
  ];
  const forms: readonly [string, (what: string) => string, string | null][] = [
    ["in form 1", (what) => `remit-${what} 1 `, null],
    ["in form 2", (what) => `remit-${what} 2 `, STORED.newer],
    ["in form 99", (what) => `remit-${what} 99 `, STORED.newer],
    ["in form 0", (what) => `remit-${what} 0 `, STORED.unreleased],
    ["in a form that is no number", (what) => `remit-${what} one `, STORED.unreleased],
    [
      "as before the first release",
      (what) => `remit2${what === "state" ? "" : `-${what}`} `,
      STORED.unreleased,
    ],
  ];
  for (const [what, word, read] of parts)
    it.each(forms)(`as a ${what} %s is read, or refused by name`, async (_, begin, code) => {
      const one = await sealed();
      const change = (text: string) => text.replace(/^remit-[a-z]+ \d+ /, begin(word));
      expect(await codeOf(() => read(one, change))).toBe(code);
    });

  it("is not read as a plain line without its key", async () => {
    const { contents } = await sealed();
    for (const begin of ["remit-line 1 ", "remit-line 2 ", "remit2-line "]) {
      const line = (contents.journal[0] ?? "").replace("remit-line 1 ", begin);
      expect(await codeOf(() => memory([line], false).read())).toBe("state/encrypted");
    }
  });
});

describe("a text that is none of remit's", () => {
  it.each([["{}"], ['{"lineage":"lineage"}'], ["[]"], ["nonsense"]])(
    "is not of another format: %s",
    async (text) => {
      expect(await codeOf(() => decode(text, NAME))).toBe("state/damaged");
    },
  );
});

describe("a head whose names lead out of its state", () => {
  const elsewhere = [
    "uction/state",
    ".history/1",
    ".state/../../other",
    ".journal/readable/../x",
    "",
    ".state/",
  ];
  it.each(elsewhere)("is damaged, so that no other object is read or removed: %s", async (name) => {
    const heads = [
      { ...HEAD, before: { ...SNAPSHOT, name } },
      { ...HEAD, snapshot: { ...SNAPSHOT, name } },
      { ...HEAD, journal: { batches: [name], lines: [] } },
    ];
    for (const head of heads)
      expect(await codeOf(() => decodeHead(encodeHead(head), NAME))).toBe("state/damaged");
  });
});
