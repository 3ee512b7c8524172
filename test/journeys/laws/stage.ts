import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatAddress } from "../../../src/model/address.js";
import type { Json, JsonObject } from "../../../src/model/json.js";
import type { Rule } from "../../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../../src/sandbox/tenant/tenant.js";
import type { Snapshot } from "../../../src/state/snapshot.js";
import { hastyClock, runInside, type Seen } from "../../fakes/inside.js";
import { idAt, namedBy, said } from "./named.js";
import type { Memory } from "./observed.js";
import { PEOPLE } from "./owners.js";
import { APP, addressOf, MADE, MADE_NAME, PLACES, type Place, ROLES, under } from "./places.js";
import { putRow, rowsOf } from "./rows.js";
import { type Round, type Scenario, spokenFor } from "./scenario.js";

/** A service and a project that a scenario is played on. */
export interface Stage {
  readonly sandbox: Sandbox;
  /** Replaces every manifest by those of a round. */
  write(round: Round): void;
  /** Carries out what another program does in the tenant. */
  meddle(round: Round): void;
  trouble(rules: readonly Rule[]): void;
  loseState(how: Round["state"]): void;
  memory(): Memory;
  run(...argv: readonly string[]): Promise<Seen>;
  close(): Promise<void>;
}

/** Opens the stage of a scenario. */
export async function openStage(scenario: Scenario): Promise<Stage> {
  const base: Rule = {
    fault: "quirks",
    quirks: {
      // Not documented for core; remit's own rule for a changed automation there needs it.
      ...(spokenFor(scenario, PLACES[0] as Place) === "core"
        ? { existingAutomation: "replace" as const }
        : {}),
      ...scenario.quirks,
    },
  };
  const sandbox = await startSandbox({
    interface: scenario.served,
    tenant: tenantOf(scenario),
    faults: { seed: 1, rules: [base] },
  });
  const cwd = mkdtempSync(join(tmpdir(), "remit-laws-"));
  const manifests = join(cwd, "manifests");
  const state = join(cwd, ".remit", "state.json");
  const settings = {
    server: sandbox.url,
    manifests: ["manifests"],
    interface: scenario.asked,
    guards: { firstWrite: scenario.firstWrite },
    ...(scenario.isNamed ? { apps: { C1: C1_APP_ID } } : {}),
    concurrency: 1,
    // Longer than the service takes to show owners, however fast the clock of the runs goes.
    ownersLag: scenario.quirks.ownersLag === undefined ? "0s" : "400s",
    ...(hangs(scenario) ? { requestTimeout: "0.5s", retries: 1 } : {}),
  };
  mkdirSync(manifests);
  let written: readonly string[] = [];
  return {
    sandbox,
    write(round) {
      const removed = removalsIn(scenario, round);
      writeFileSync(join(cwd, "remit.yaml"), JSON.stringify({ ...settings, removed }));
      const files = filesOf(round, scenario.isNamed);
      for (const name of written) if (!files.has(name)) rmSync(join(manifests, name));
      for (const [name, text] of files) writeFileSync(join(manifests, name), text);
      written = [...files.keys()];
    },
    meddle({ meddling }) {
      for (const [number, contents] of Object.entries(meddling)) put(sandbox, Number(number), contents);
    },
    trouble: (rules) => sandbox.faults.set({ seed: 1, rules: [...rules, base] }),
    loseState(how) {
      if (how === "kept") return;
      rmSync(state, { force: true });
      if (how === "lost with its backup") rmSync(join(cwd, ".remit"), { recursive: true, force: true });
    },
    memory() {
      const isLost = !existsSync(state) && existsSync(`${state}.backup`);
      const nothing = { entries: new Map(), existing: new Set<string>(), uncertain: new Set<string>() };
      if (!existsSync(state)) return { hasState: false, ...nothing, isLost };
      const { entries, existing, uncertain } = JSON.parse(readFileSync(state, "utf8")) as Snapshot;
      return {
        hasState: true,
        entries: new Map(Object.values(entries).map((entry) => [formatAddress(entry.address), entry])),
        existing: new Set(Object.keys(existing)),
        uncertain: new Set(Object.keys(uncertain)),
        isLost,
      };
    },
    run: (...argv) =>
      runInside(argv, {
        cwd,
        env: { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token },
        clock: hastyClock(200),
      }),
    async close() {
      await sandbox.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

function hangs({ rounds }: Scenario): boolean {
  return rounds.some(({ trouble }) => trouble.some(({ fault }) => fault === "latency"));
}

/** What `removed:` says of each place without a manifest; only some objects can be deleted. */
function removalsIn(scenario: Scenario, { wanted, removed }: Round): readonly JsonObject[] {
  if (removed === "nothing") return [];
  return PLACES.flatMap((place, number) => {
    if ((wanted[number] ?? null) !== null) return [];
    // What another manifest stands on is not deleted.
    const isFree = under(place).every((child) => (wanted[PLACES.indexOf(child)] ?? null) === null);
    const isNamed = wanted.some((spec) => spec !== null && namedBy(spec).includes(place));
    const isDeletable = canBeDeleted(place) && spokenFor(scenario, place) === "full" && isFree && !isNamed;
    const decision = ["then", isDeletable ? removed : "forget"] as const;
    return [Object.fromEntries([["address", addressOf(place)], decision])];
  });
}

function canBeDeleted({ kind, isConnected }: Place): boolean {
  return kind !== "TemplateScope" && kind !== "AppConfigurationRules" && isConnected !== true;
}

/** The manifests of a round: one file, or one for each where a run selects by files. */
function filesOf(round: Round, isNamed: boolean): ReadonlyMap<string, string> {
  const documents = PLACES.flatMap(({ kind, name }, number): readonly (readonly [string, string])[] => {
    const spec = specText(round, number, isNamed);
    if (spec === null) return [];
    const labels = { pick: round.chosen.includes(number) ? "yes" : "no" };
    const document = { apiVersion: "remit/v1", kind, metadata: { name, labels }, spec };
    return [[`${name}.yaml`, `${JSON.stringify(document)}\n`]];
  });
  if (round.by === "file") return new Map(documents);
  return new Map([["all.yaml", documents.map(([, text]) => text).join("---\n")]]);
}

/** The spec of a place's manifest as it is written; null where a round has none. */
function specText({ wanted }: Round, number: number, isNamed: boolean): JsonObject | null {
  const place = PLACES[number];
  const spec = wanted[number];
  if (place === undefined || spec === null || spec === undefined) return null;
  const name = place === MADE ? { displayName: MADE_NAME } : {};
  const isThere = (other: Place) => (wanted[PLACES.indexOf(other)] ?? null) !== null;
  const say = (other: Place) => (isThere(other) ? { manifest: other.name } : idAt(other));
  const units = Object.entries(spec).map(([unit, { says }]) => [unit, said(says, say)] as const);
  const { refers } = place;
  const isByName = isNamed && place.kind === "EntitlementAutomation" && refers === undefined;
  const identity = isByName
    ? { appId: { name: "C1" }, appEntitlementId: { name: place.name } }
    : { ...place.identity, ...place.beside };
  const isReferred = refers !== undefined && isThere(refers.to);
  const reference = isReferred ? { [refers.field]: { manifest: refers.to.name } } : {};
  return { ...identity, ...reference, ...name, ...Object.fromEntries(units) };
}

function tenantOf({ tenant, later }: Scenario): Tenant {
  const known = PLACES.map((place, number) => ({ place, contents: tenant[number] ?? null }));
  const of = (kind: string) => known.filter(({ place }) => place.kind === kind && place !== MADE);
  const rows = rowsOf(tenant);
  return {
    ...EMPTY_TENANT,
    ...rows,
    open: false,
    users: PEOPLE.map((id) => ({ id, displayName: id, email: `${id}@example.test`, status: "ENABLED" })),
    laterVersion: later,
    apps: [{ id: C1_APP_ID, displayName: "C1" }, { id: APP, displayName: "GitHub" }, ...(rows.apps ?? [])],
    entitlements: [
      ...of("EntitlementAutomation")
        .filter(({ place }) => place.refers === undefined)
        .map(({ place }) => ({
          appId: C1_APP_ID,
          id: String(place.identity.appEntitlementId),
          displayName: place.name,
        })),
      ...(rows.entitlements ?? []),
      ...ROLES.map((id) => ({ appId: APP, id, displayName: id })),
    ],
    resourceTypes: of("ResourceType").map(({ place, contents }) => ({
      appId: APP,
      id: String(place.identity.id),
      displayName: "Old type",
      resourceType: "CUSTOM",
      ...contents,
    })),
    templates: [
      ...(rows.templates ?? []),
      ...of("TemplateScope").map(({ place, contents }) => ({
        id: String(place.identity.templateId),
        displayName: "Review",
        ...(contents?.scope === undefined ? {} : { scope: contents.scope }),
      })),
    ],
    setups: of("TemplateScope").map(({ place, contents }) => ({
      templateId: String(place.identity.templateId),
      entitlements: (contents?.entitlements ?? []) as readonly JsonObject[],
      resourceTypeSelections: [],
    })),
    automations: of("EntitlementAutomation").flatMap(({ place, contents }) =>
      contents === null
        ? []
        : [
            {
              appId: C1_APP_ID,
              appEntitlementId: String(place.identity.appEntitlementId),
              createdAt: LONG_AGO,
              updatedAt: LONG_AGO,
              ...contents,
            },
          ],
    ),
  };
}

const LONG_AGO = "2026-01-01T00:00:00Z";

/** Puts contents in a place, or deletes what is there, as another program does. */
function put(sandbox: Sandbox, number: number, contents: Readonly<Record<string, Json>> | null): void {
  const place = PLACES[number];
  if (place === undefined) return;
  const { kind, identity } = place;
  const { store } = sandbox;
  const now = new Date().toISOString();
  if (contents !== null) putRow(sandbox, place, contents);
  if (kind === "EntitlementAutomation") {
    const [app, id] = [String(identity.appId), String(identity.appEntitlementId)];
    const before = store.automations.get(app, id);
    const at = {
      appId: app,
      appEntitlementId: id,
      createdAt: String(before?.createdAt ?? LONG_AGO),
      updatedAt: now,
    };
    if (contents !== null) store.automations.put(app, id, { ...at, ...contents });
    else if (before !== undefined) store.automations.put(app, id, { ...before, deletedAt: now });
  }
  if (kind === "ResourceType") {
    const id = String(identity.id);
    store.resourceTypes.put(APP, id, {
      appId: APP,
      id,
      displayName: "By hand",
      resourceType: "CUSTOM",
      ...contents,
    });
  }
  if (kind === "TemplateScope") {
    const id = String(identity.templateId);
    const { scope: _, ...before } = store.templates.get("", id) ?? { id };
    const scope = contents?.scope === undefined ? {} : { scope: contents.scope };
    store.templates.put("", id, { ...before, id, ...scope });
    const entitlements = (contents?.entitlements ?? []) as readonly JsonObject[];
    store.setups.put("", id, { templateId: id, entitlements, resourceTypeSelections: [] });
  }
}
