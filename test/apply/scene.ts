import { onTestFinished } from "vitest";
import type { Event, Recorder } from "../../src/apply/event.js";
import type { Job } from "../../src/apply/job.js";
import { makeCheckpoint } from "../../src/apply/journal/checkpoint.js";
import { makeJournal } from "../../src/apply/journal/journal.js";
import { type Recovery, recover } from "../../src/apply/journal/recover.js";
import { type Result, runPlan } from "../../src/apply/work.js";
import { kinds } from "../../src/kinds/index.js";
import type { Interface } from "../../src/kinds/interface.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { Resource } from "../../src/manifest/resource.js";
import { NO_VOCABULARY } from "../../src/manifest/vocabulary.js";
import { type Address, formatAddress } from "../../src/model/address.js";
import type { Clock } from "../../src/model/clock.js";
import type { JsonObject } from "../../src/model/json.js";
import { Secret } from "../../src/model/secret.js";
import type { Mode, Planned } from "../../src/plan/plan.js";
import { removedFrom } from "../../src/plan/removed/which.js";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/http/server.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { type Journal, type Lock, PROMPT, type Store } from "../../src/state/store.js";
import { type Client, makeClient } from "../../src/tenant/client/client.js";
import { readPages } from "../../src/tenant/client/pages.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import type { Retry } from "../../src/tenant/client/retrying.js";
import { resolveAll } from "../../src/tenant/names/resolveAll.js";
import { openOrigin } from "../../src/tenant/origin.js";
import { readAll } from "../../src/tenant/readAll.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { owner } from "../contracts/store.js";
import { sleepersClock } from "../fakes/clock.js";
import { planOf, resource } from "../plan/worlds.js";

/** A service, a state and a journal, and the ways of a run over them. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly client: Client;
  readonly store: Store;
  /** One lock for all runs: a run that is cut off does not release it. */
  readonly lock: Lock;
  readonly clock: Clock;
  readonly plan: (resources: readonly Resource[], mode?: Partial<Mode>) => Promise<Planned>;
  /** Runs a plan with journal and checkpoints, and ends as a run does: the snapshot is kept, the journal cleared. */
  readonly apply: (plan: Planned, more?: Partial<Job>) => Promise<Run>;
  /** Runs a plan and is cut off at an event of that number, before or after it was recorded; gives whether it came. */
  readonly wreck: (plan: Planned, at: number, when: "before" | "after") => Promise<boolean>;
  /** Recovers as the next run does: what was found out is kept, and the journal cleared. */
  readonly recover: () => Promise<Recovery | null>;
  readonly snapshot: () => Promise<Snapshot>;
}

/** What a run came to, and all that it said. */
export interface Run extends Result {
  readonly events: readonly Event[];
}

export interface SceneOptions {
  readonly on?: Interface | "auto";
  readonly served?: Interface;
  readonly rules?: readonly Rule[];
  readonly sandbox?: SandboxOptions;
  readonly width?: number;
  /** How much faster than real time its clock lets sleepers wake. */
  readonly haste?: number;
  /** The journal that runs write to. */
  readonly journal?: (journal: Journal) => Journal;
}

/** Sets a scene; all of it is taken down when the test ends. */
export async function setScene(options: SceneOptions = {}): Promise<Scene> {
  const { on = "full", rules = [], width = 4 } = options;
  const clock = sleepersClock(options.haste ?? 50);
  const sandbox = await startSandbox({
    interface: options.served ?? (on === "core" ? "core" : "full"),
    faults: { seed: 1, rules },
    ...options.sandbox,
  });
  const token = { as: "bearer", token: new Secret(sandbox.token), from: ["REMIT_TOKEN"] } as const;
  const clients: Client[] = [];
  function connect(): Client {
    const made = makeClient({
      server: sandbox.url,
      credentials: token,
      clock,
      random: () => 0.5,
      width,
      retries: 3,
      requestTimeout: 5_000,
      userAgent: "remit/test",
      proxies: NO_PROXIES,
    });
    clients.push(made);
    return made;
  }
  const client = connect();
  onTestFinished(async () => {
    for (const one of clients) one.close();
    await sandbox.close();
  });
  const store = memoryStore(memoryContents(), clock);
  const lock = await store.lock(owner("scene"), { timeout: 0 });
  const written = options.journal?.(lock.journal) ?? lock.journal;
  const empty = newSnapshot("lineage", sandbox.url);
  const snapshot = async () => (await store.read()).snapshot ?? empty;

  async function run(
    plan: Planned,
    more: Partial<Job>,
    first: Recorder,
    last: Recorder = async () => undefined,
  ): Promise<Result & { finish: () => Promise<void> }> {
    const before = await snapshot();
    const journal = makeJournal(
      written,
      { run: "run", server: sandbox.url, lineage: "lineage", serial: 0, effect: "sha256:0" },
      clock,
      client.serverTime,
    );
    const checkpoint = makeCheckpoint(lock, before, clock, PROMPT);
    const recorder: Recorder = async (event) => {
      await first(event);
      await journal(event);
      await checkpoint.record(event);
      await last(event);
    };
    const fixed = {
      plan,
      effect: "sha256:0",
      // The tests change the tenant between a plan and its apply: its reads are too old to count.
      plannedAt: Number.NEGATIVE_INFINITY,
      run: "run",
      kinds,
      snapshot: before,
      service: client,
      clock,
      rhythm: PROMPT,
      patience: 0,
      createLag: 0,
      ownersLag: 0,
      mayReplaceUnseen: () => false,
      created: [],
    };
    const result = await runPlan({ ...fixed, ...more, recorder });
    const finish = async () => {
      const last = await checkpoint.finish();
      if (last.isOpen) await lock.save(last.snapshot);
      await written.clear();
    };
    return { ...result, finish };
  }

  return {
    sandbox,
    client,
    store,
    lock,
    clock,
    snapshot,
    async plan(resources, mode = {}) {
      const { snapshot: kept } = await store.read();
      const origin = openOrigin({
        snapshot: kept,
        apps: {},
        asked: on,
        tenant: makeTenant(client),
        progress: () => undefined,
      });
      const resolved = (await resolveAll(resources, origin)).value;
      const whole = {
        resources,
        sources: [],
        vocabulary: NO_VOCABULARY,
        diagnostics: [],
        unclear: [],
        chosen: null,
        isComplete: true,
      };
      const choice = { targets: [], selector: null };
      const removed = removedFrom(whole, resolved.desired, kept, choice);
      const { desired, current } = (await readAll({ ...resolved, removed, earlier: [] }, origin)).value;
      return planOf({ desired, current, snapshot: kept, server: sandbox.url, asked: on, mode });
    },
    async apply(plan, more = {}) {
      const events: Event[] = [];
      const { finish, ...result } = await run(plan, more, async (event) => {
        events.push(event);
        await more.recorder?.(event);
      });
      await finish();
      return { ...result, events };
    },
    async wreck(plan, at, when) {
      let count = 0;
      let isOff = false;
      let cutOff = (): void => undefined;
      const cut = new Promise<boolean>((resolve) => {
        cutOff = () => {
          // From here on nothing is recorded and nothing more is sent; what is under way reaches the service.
          isOff = true;
          setTimeout(() => resolve(true), 30);
        };
      });
      const never = new Promise<never>(() => undefined);
      const check = (isIt: boolean) => {
        if (isIt && !isOff) cutOff();
        return isOff ? never : Promise.resolve();
      };
      const before: Recorder = () => check(count++ === at && when === "before");
      const after: Recorder = () => check(count > at && when === "after");
      // The run that is cut off keeps its place in its own client for ever.
      const ran = run(plan, { service: connect() }, before, after).then(() => false);
      return Promise.race([cut, ran]);
    },
    async recover() {
      const recovery = await recover({
        journal: (await store.read()).journal,
        store: store.name,
        snapshot: await snapshot(),

        on,
        service: client,
        patience: { clock, milliseconds: 0, createLag: 0, horizon: PROMPT.horizon },
      });
      if (recovery === null || !recovery.complete) return recovery;
      if (recovery.snapshot.serial !== (await snapshot()).serial) await lock.save(recovery.snapshot);
      await lock.journal.clear();
      return recovery;
    },
  };
}

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const id = (word: string, number: number) => `${word}${String(number).padStart(27 - word.length, "0")}`;

/** A resource type whose id the service chooses. */
export function newType(name: string, displayName = name, traits: readonly string[] = []): Resource {
  const traitIds = traits.length === 0 ? {} : { traitIds: traits };
  return manifest("ResourceType", name, { appId: APP, resourceType: "CUSTOM", displayName, ...traitIds });
}

/** A resource type that is there. */
export function type(name: string, key: string, displayName = name): Resource {
  return manifest("ResourceType", name, { appId: APP, id: key, displayName });
}

/** The automation of an entitlement of that number. */
export function automation(number: number, more: JsonObject = {}): Resource {
  return manifest("EntitlementAutomation", `automation-${number}`, {
    appId: APP,
    appEntitlementId: id("entitlement", number),
    displayName: `automation ${number}`,
    cel: { expression: "true" },
    ...more,
  });
}

/** The scope of a template of that number. */
export function scope(number: number, more: JsonObject = {}): Resource {
  return manifest("TemplateScope", `scope-${number}`, {
    templateId: id("template", number),
    scope: { allUsers: {} },
    entitlements: [{ appId: APP, appEntitlementId: id("entitlement", number) }],
    ...more,
  });
}

function manifest(kind: Kind["name"], name: string, spec: JsonObject): Resource {
  return resource({ kind, name }, spec);
}

/** A client of which is known how many of its calls were in flight at once. */
export function counting(client: Client): { readonly service: Client; readonly most: () => number } {
  let inFlight = 0;
  let most = 0;
  const service: Client = {
    ...client,
    async send(call, options = {}) {
      let isOut = false;
      const goOut = (isNow: boolean) => {
        if (isOut !== isNow) inFlight += isNow ? 1 : -1;
        isOut = isNow;
        most = Math.max(most, inFlight);
      };
      const leaving = async () => {
        await options.leaving?.();
        goOut(true);
      };
      const retried = (retry: Retry) => {
        goOut(false);
        options.retried?.(retry);
      };
      try {
        return await client.send(call, { ...options, leaving, retried });
      } finally {
        goOut(false);
      }
    },
    pages: (call) => readPages(call, service.send),
  };
  return { service, most: () => most };
}

/** How each step ended, by its address. */
export function outcomes({ events }: Run): Readonly<Record<string, string>> {
  return Object.fromEntries(
    events.flatMap((event) =>
      event.type === "step finished" ? [[formatAddress(event.address), event.outcome]] : [],
    ),
  );
}

/** The codes of what was said of a step. */
export function codes({ events }: Run, address: Address): readonly string[] {
  return events.flatMap((event) =>
    event.type === "step finished" && formatAddress(event.address) === formatAddress(address)
      ? event.diagnostics.map(({ code }) => code)
      : [],
  );
}

/** What a plan still has to do. */
export function actions({ steps }: Planned): readonly string[] {
  return steps
    .filter(({ action }) => action !== "keep")
    .map((step) => `${step.action} ${formatAddress(step.address)}`);
}
