import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { checkConfig } from "../../src/cli/settings/configCheck.js";
import { projectFileFrom } from "../../src/cli/settings/projectFile.js";
import { resolveSettings } from "../../src/cli/settings/whoDecides.js";
import { kindNamed } from "../../src/kinds/index.js";
import { loadManifests } from "../../src/manifest/load.js";
import { isObject, type Json, parseJson } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import { effectOf, writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan, type VerifiedPlan } from "../../src/plan/saved/read.js";
import { describePlan } from "../../src/report/plan/describe.js";
import { decode, encode } from "../../src/state/codec.js";
import { isMoved, isSealed } from "../../src/state/snapshot.js";
import { StateError } from "../../src/state/store.js";
import { seededRandom } from "../fakes/random.js";
import { planFile } from "../plan/saved/planFile.js";
import { mutatedText, mutatedValue } from "./mutate.js";
import { applyFrom, BEFORE, type Ending, NOW, type Start, unshown } from "./scene.js";

/** Mutations of each kind of input: a few in every test run, 200,000 in all with `npm run fuzz`. */
const RUNS = Math.ceil(Number(process.env.FUZZ ?? 240) / 6);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Milliseconds of the processor that one input of the soak may take. */
const LONGEST = 2_000;
const IS_SOAK = process.env.FUZZ !== undefined;
/** Milliseconds after which work that waits counts as work that never ends, however busy the machine is. */
const LONGEST_WAIT = 60_000;
/** Bytes by which all inputs may let the program grow. */
const LARGEST_GROWTH = 300 * 1024 * 1024;

const INTERFACES = ["full", "core"] as const;
type On = (typeof INTERFACES)[number];
const CONFIG = `server: https://tenant.example
interface: { TemplateScope: core }
manifests: [manifests, more/*.yaml]
apps: { GitHub: 2fsgTvxP0DVTsNXEUBI7hOe0l5A }
concurrency: 4
requestTimeout: 30s
guards: { maxDeletes: 3, maxChangesPercent: 20, firstWrite: allow }
acknowledge:
  - { guard: everyone, address: EntitlementAutomation/one, until: 2026-02-01, reason: all of it }
removed:
  - { address: EntitlementAutomation/two, then: forget }
sandbox: { seed: seed.yaml }
`;

/** An applied tenant, what its next apply would do, and the journal of that apply. */
interface Scene {
  readonly start: Start;
  readonly state: string;
  readonly plan: VerifiedPlan;
  readonly journal: readonly string[];
}

const scenes = new Map<On, Scene>();
beforeAll(async () => {
  for (const on of INTERFACES) {
    const before = await applyFrom({ manifests: BEFORE, snapshot: null, on });
    if (before.snapshot === null) throw new Error(JSON.stringify(before.result));
    const start: Start = { manifests: NOW, snapshot: before.snapshot, tenant: before.tenant(), on };
    const after = await applyFrom(start);
    const saved = after.shown === null ? null : readSavedPlan(writePlan(after.shown).text).value;
    if (saved === null) throw new Error(JSON.stringify(after.result));
    const state = [...encode(before.snapshot, "1.0.0")].join("");
    scenes.set(on, { start, state, plan: saved, journal: after.journal });
  }
});

/** Runs a check over inputs that come from a seed, and watches its time and its memory. */
async function fuzz(
  name: string,
  check: (random: () => number, scene: Scene) => Promise<unknown> | unknown,
): Promise<void> {
  const warm = Math.ceil(RUNS / 10);
  let base = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const random = seededRandom(SEED * 1_000_003 + run);
    const scene = scenes.get(random() < 0.5 ? "full" : "core");
    if (scene === undefined) throw new Error("no scene");
    if (run === warm) base = process.memoryUsage.rss();
    const began = process.cpuUsage();
    try {
      await ending(check(random, scene));
    } catch (error) {
      throw new Error(`${name} ${run} of seed ${SEED}`, { cause: error });
    }
    const { user, system } = process.cpuUsage(began);
    if (IS_SOAK && (user + system) / 1000 > LONGEST)
      throw new Error(`${name} ${run} of seed ${SEED} takes too long`);
  }
  expect(process.memoryUsage.rss() - base).toBeLessThan(LARGEST_GROWTH);
}

/** Work that waits for nothing takes no time of the processor, and never ends. */
async function ending(work: Promise<unknown> | unknown): Promise<void> {
  const stop = new AbortController();
  const late = pause(LONGEST_WAIT, "late", { signal: stop.signal }).catch(() => "stopped");
  const first = await Promise.race([Promise.resolve(work).then(() => "done"), late]).finally(() =>
    stop.abort(),
  );
  if (first === "late") throw new Error("it does not end");
}

const HOUR = 3_600_000;

/** Nothing left that the plan did not show, and the plan can be printed. */
function expectShown(ending: Ending): void {
  expect(unshown(ending)).toEqual([]);
  if (ending.shown !== null) describePlan(ending.shown, "", kindNamed);
}

/** Half the texts are changed anywhere, half as an attacker who knows the format changes them. */
function mutatedJson(text: string, random: () => number): string {
  if (random() < 0.5) return mutatedText(text, random);
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(mutatedValue(value, random));
}

/** A plan in which a value was changed, with hashes that fit. */
function resealed(plan: Planned, random: () => number): string {
  const forged = mutatedValue(plan as unknown as Json, random);
  const steps = isObject(forged) ? forged.steps : undefined;
  let effect = "sha256:";
  try {
    if (Array.isArray(steps)) effect = effectOf(forged as unknown as Planned);
  } catch {
    // What is not a plan has no effect.
  }
  if (!isObject(forged)) return JSON.stringify({ formatVersion: 1, seal: "", effect, plan: forged });
  return planFile(forged, effect);
}

it(
  "a mutated plan is refused with a reason, or sends nothing that it does not show",
  () =>
    fuzz("plan", async (random, { plan, start }) => {
      const text =
        random() < 0.3 ? mutatedText(writePlan(plan.plan).text, random) : resealed(plan.plan, random);
      const { value, diagnostics } = readSavedPlan(text);
      if (value === null) expect(diagnostics.length).toBeGreaterThan(0);
      else expectShown(await applyFrom({ ...start, plan: value }));
    }),
  HOUR,
);

it(
  "a mutated state is refused with a reason, or leads to nothing that a plan does not show",
  () =>
    fuzz("state", async (random, { state, start }) => {
      try {
        const snapshot = decode(mutatedJson(state, random), "state.json");
        const again = decode([...encode(snapshot, "1.0.0")].join(""), "state.json");
        expect(again).toEqual(snapshot);
        if (!isSealed(snapshot) && !isMoved(snapshot)) expectShown(await applyFrom({ ...start, snapshot }));
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
      }
    }),
  HOUR,
);

it(
  "a mutated journal is recovered from, or refused with a reason",
  () =>
    fuzz("journal", async (random, { journal, start }) => {
      const cut = journal.slice(0, 1 + Math.floor(random() * journal.length));
      const at = Math.floor(random() * cut.length);
      const lines = cut.map((line, place) => (place === at ? mutatedJson(line, random) : line));
      expectShown(await applyFrom({ ...start, journal: lines }));
    }),
  HOUR,
);

it(
  "mutated replies are reported, and lead to nothing that a plan does not show",
  () =>
    fuzz("reply", async (random, { start }) => {
      const altered = (reply: string) => (random() < 0.2 ? mutatedJson(reply, random) : reply);
      expectShown(await applyFrom({ ...start, altered }));
    }),
  HOUR,
);

it(
  "a mutated remit.yaml gives settings, or errors with a code",
  () =>
    fuzz("remit.yaml", (random) => {
      const source = { file: "remit.yaml", text: mutatedText(CONFIG, random), named: true };
      const { value, diagnostics } = projectFileFrom(source, checkConfig);
      expect(value !== null || diagnostics.length > 0).toBe(true);
      resolveSettings({}, {}, value);
    }),
  HOUR,
);

it(
  "a mutated manifest gives resources, or errors with a code",
  () =>
    fuzz("manifest", async (random) => {
      const stdin = async () => new TextEncoder().encode(mutatedText(NOW, random));
      const { value, diagnostics } = await loadManifests({ paths: ["-"], cwd: "/", stdin });
      expect(value.length + diagnostics.length).toBeGreaterThan(0);
    }),
  HOUR,
);
