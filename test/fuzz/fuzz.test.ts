import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadManifests } from "../../src/manifest/load.js";
import { thaw } from "../../src/plan/thaw.js";
import { decode } from "../../src/state/codec.js";
import { StateError } from "../../src/state/store.js";
import { runInside } from "../fakes/inside.js";

/** Mutations of each kind of file: a few in every test run, 200,000 in all with `npm run fuzz`. */
const RUNS = Number(process.env.FUZZ ?? 600) / 3;

let cwd: string;
let random: () => number;
beforeAll(async () => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "remit-fuzz-")));
  cpSync("examples/quickstart", cwd, { recursive: true });
  const env = { HOME: cwd };
  await runInside(["plan", "--out", "plan.json"], { cwd, env });
  await runInside(["apply", "--yes", "-q"], { cwd, env });
  random = numbersFrom(Number(process.env.FUZZ_SEED ?? 1));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** The same numbers for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PIECES = [
  "",
  "\0",
  "\u001b[2J",
  "null",
  "[]",
  "{}",
  '"',
  "__proto__",
  "../../token",
  "-1",
  "1e999",
  "\ufeff",
];

function below(bound: number): number {
  return Math.floor(random() * bound);
}

/** A text with one to four of its parts removed, repeated, moved, or replaced by a piece that often causes trouble. */
function mutated(text: string): string {
  let result = text;
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const [at, length] = [below(result.length + 1), below(40)];
    const part = result.slice(at, at + length);
    const pieces = [
      "",
      part + part,
      result.slice(below(result.length)).slice(0, 40),
      PIECES[below(PIECES.length)] ?? "",
    ];
    result = result.slice(0, at) + (pieces[below(pieces.length)] ?? "") + result.slice(at + length);
  }
  return result;
}

it("a mutated plan is refused with a reason, or is the plan that was saved", () => {
  const text = readFileSync(join(cwd, "plan.json"), "utf8");
  const saved = thaw(text).value;
  expect(saved).not.toBeNull();
  for (let run = 0; run < RUNS; run += 1) {
    const { value, diagnostics } = thaw(mutated(text));
    if (value === null) expect(diagnostics.length).toBeGreaterThan(0);
    else expect(value).toEqual(saved);
  }
}, 3_600_000);

it("a mutated state is read, or is refused with a reason", () => {
  const text = readFileSync(join(cwd, ".remit", "state.json"), "utf8");
  for (let run = 0; run < RUNS; run += 1) {
    try {
      decode(mutated(text), "state.json");
    } catch (error) {
      expect(error).toBeInstanceOf(StateError);
    }
  }
}, 3_600_000);

it("a mutated manifest gives resources, or errors with a code", async () => {
  const text = readFileSync(join(cwd, "manifests", "engineering-group.yaml"), "utf8");
  for (let run = 0; run < RUNS; run += 1) {
    const stdin = async () => new TextEncoder().encode(mutated(text));
    const { value, diagnostics } = await loadManifests({ paths: ["-"], cwd, stdin });
    expect(value.length + diagnostics.length).toBeGreaterThan(0);
  }
}, 3_600_000);
