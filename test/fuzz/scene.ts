import { Buffer } from "node:buffer";
import type { SessionResult } from "../../src/apply/result.js";
import { apply } from "../../src/apply/run.js";
import type { Call } from "../../src/model/call.js";
import { isObject, same } from "../../src/model/json.js";
import { NO_SETTINGS } from "../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Request } from "../../src/plan/request.js";
import type { VerifiedPlan } from "../../src/plan/saved/read.js";
import type { Tenant } from "../../src/sandbox/tenant/tenant.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import type { Snapshot } from "../../src/state/snapshot.js";
import { owner } from "../contracts/store.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient, SERVER } from "../fakes/directClient.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const id = (word: string, number: number) => `${word}${String(number).padStart(27 - word.length, "0")}`;
const automation = (number: number, name: string, condition: string) => `---
apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: a${number}, annotations: { remit/protect: "${number === 3}" } }
spec: { appId: ${APP}, appEntitlementId: ${id("entitlement", number)}, displayName: ${name}, ${condition} }
`;
const scope = (status: string) => `---
apiVersion: remit/v1
kind: TemplateScope
metadata: { name: scope }
spec:
  templateId: ${id("template", 1)}
  scope: { userCriteria: { userStatus: [${status}] } }
  entitlements: [{ appId: ${APP}, appEntitlementId: ${id("entitlement", 1)} }]
`;
const type = (name: string) => `---
apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: ${APP}, resourceType: CUSTOM, displayName: ${name} }
`;
const cel = (department: string) => `cel: { expression: 'subject.department == "${department}"' }`;

/** What was applied before, and what is asked for now: something of each action. */
export const BEFORE = [
  automation(1, "one", cel("A")),
  automation(2, "two", cel("B")),
  automation(3, "three", cel("C")),
  scope("ENABLED"),
  type("Team"),
].join("");
export const NOW = [
  automation(1, "one", cel("Z")),
  automation(4, "four", cel("D")),
  automation(3, "three", cel("C")),
  scope("DISABLED"),
  type("Group"),
].join("");

/** Where an apply starts. */
export interface Start {
  readonly manifests: string;
  readonly tenant?: Tenant;
  readonly snapshot: Snapshot | null;
  readonly journal?: readonly string[];
  readonly plan?: VerifiedPlan;
  /** The effect that was reviewed. */
  readonly expected?: string;
  /** Whether only this user writes the state. */
  readonly isOwn?: boolean;
  readonly on?: "core" | "full";
  /** Changes each reply of the service before it is read. */
  readonly altered?: (reply: string) => string;
}

/** What an apply came to, and what it shows and sent. */
export interface Ending {
  readonly result: SessionResult;
  /** The plan as it was shown before anything was sent; null where none was. */
  readonly shown: Planned | null;
  readonly writes: readonly Call[];
  readonly snapshot: Snapshot | null;
  readonly tenant: () => Tenant;
  readonly journal: readonly string[];
}

/** One apply in this process, with no network, no disk and no waiting. */
export async function applyFrom(start: Start): Promise<Ending> {
  const clock = fakeClock();
  const { on = "full", tenant, altered, snapshot, journal = [], manifests, plan = null } = start;
  const { expected = null, isOwn = true } = start;
  const direct = directClient({ on, ...(tenant !== undefined && { tenant }) }, clock, altered);
  const contents = { ...memoryContents(snapshot), journal: [...journal] };
  const lines: string[] = [];
  const push = contents.journal.push.bind(contents.journal);
  contents.journal.push = (...more) => {
    lines.push(...more);
    return push(...more);
  };
  const session = {
    store: { ...memoryStore(contents, clock), isOwn },
    client: direct.client,
    clock,
    requestTimeout: 1_000,
    createLag: 1_000,
  };
  let shown: Planned | null = null;
  const result = await apply(
    {
      request: requestFor(manifests, on, snapshot !== null),
      plan,
      expected,
      mergedAt: null,
      owner: owner("fuzz"),
      lockTimeout: 0,
      rescue: null,
      lineage: "lineage",
      run: "run",
      pullRequest: null,
      review: async (candidate) => {
        shown = candidate.plan;
        return true;
      },
      listener: async () => undefined,
      isAllOrNothing: false,
      asksAboutIntent: false,
      appliedFolder: null,
      interrupt: new AbortController().signal,
    },
    session,
  );
  const { writes, tenant: now } = direct;
  return { result, shown, writes, snapshot: contents.snapshot, tenant: now, journal: lines };
}

/** What is asked for: everything, with every guard answered. */
function requestFor(manifests: string, on: "core" | "full", prune: boolean): Request {
  const guards = ["unknown-current", "everyone", "nobody", "protected", "scope-emptied", "max-deletes"];
  return {
    project: {
      name: null,
      manifests: { project: ["-"], paths: [], cwd: "/", stdin: async () => Buffer.from(manifests) },
      commit: null,
      removals: { decisions: [], isPruneStanding: false },
      moved: [],
    },
    history: { since: null, reviewed: null, mainline: null },
    tenant: { server: SERVER, interface: on, width: 4 },
    mode: { offline: false, refreshOnly: false, prune, cascade: [], targets: [], selector: null },
    rules: {
      limits: { ...DEFAULT_LIMITS, maxChangesPercent: 100 },
      acknowledgements: guards.map((guard) => ({ by: "flag", guard, address: null })),
      today: "2026-01-01",
      settings: NO_SETTINGS,
    },
    optional: { counting: null, nameCalls: 0 },
  };
}

/** The calls that were sent and that no step of the plan shows. */
export function unshown({ shown, writes }: Pick<Ending, "shown" | "writes">): readonly Call[] {
  const calls = (shown?.steps ?? []).flatMap((step) => step.calls);
  return writes.filter((sent) => !calls.some((call) => isSentAs(call, sent)));
}

/** A part of a path that waits for a reply may be any id. */
function isSentAs(call: Call, sent: Call): boolean {
  return (
    call.method === sent.method &&
    call.path.length === sent.path.length &&
    call.path.every((part, at) => isObject(part) || part === sent.path[at]) &&
    same(call.body ?? null, sent.body ?? null)
  );
}
