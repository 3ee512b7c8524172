import { kinds } from "../kinds/index.js";
import { policy } from "../kinds/policy.js";
import type { Unapplied } from "../manifest/git/unapplied.js";
import { formatAddress } from "../model/address.js";
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { type Current, sumOf, totalOf } from "../tenant/known.js";
import { callsAhead, estimate, inOrder } from "./estimate.js";
import { idleAnswers, misspelt } from "./guards/acknowledge.js";
import { guardPlan } from "./guards/guards.js";
import { policiesIn } from "./guards/policies.js";
import type { Look } from "./look.js";
import { namesFor } from "./names/names.js";
import type { PlanImpact } from "./people/impact.js";
import {
  type Decides,
  type Finding,
  type Observation,
  type Plan,
  type Policies,
  pendingIn,
  type Unseen,
} from "./plan.js";
import { type RecordLookup, recordLookup } from "./record/lookup.js";
import type { Step } from "./step.js";

/** What a run asks for beside a look, once the steps are known. */
export interface Learned {
  /** The context of the run; null where the project has none. */
  readonly context: string | null;
  /** What was merged before the plan's change and not applied completely; null where nothing was, or that is not known. */
  readonly unapplied: Unapplied | null;
  /** Names of ids that the look lacks, the reads of names that were refused, and the calls that it took; null where none were looked up. */
  readonly names: {
    readonly names: Observation["names"];
    readonly unseen: readonly Unseen[];
    readonly calls: number;
  } | null;
  /** The policies behind the steps, and the calls that it took to read them; null where the look alone shows them. */
  readonly policies: { readonly policies: Policies; readonly calls: number } | null;
  /** What the policies and the configuration rules decide that the plan writes, and the calls that it took. */
  readonly decides: { readonly decides: readonly Decides[]; readonly calls: number } | null;
  /** What the steps mean for people; null where that was not counted. */
  readonly impact: PlanImpact | null;
  /** What guards that a team wrote find, and what they only say. */
  readonly own: { readonly findings: readonly Finding[]; readonly notes: readonly Diagnostic[] };
}

/** Of a run that asks for nothing more. */
export const NOTHING_MORE: Learned = {
  context: null,
  unapplied: null,
  names: null,
  policies: null,
  decides: null,
  impact: null,
  own: { findings: [], notes: [] },
};

/** The names that a look shows of what a plan points at. */
export function namesIn(plan: Plan, { known }: Pick<Look, "known">): Observation["names"] {
  return namesFor(allOf(plan), known.current.names);
}

/** All that is known beside the steps, with what the guards find in them; and what is wrong with their acknowledgements. */
export function observedOf(
  plan: Plan,
  look: Look,
  { context, unapplied, names, policies: read, decides, impact, own }: Learned,
): Checked<Observation> {
  const { known, rules, mode } = look;
  const { current, snapshot } = known;
  const { steps } = plan;
  const when = mode.refreshOnly ? "at once" : look.ahead.appliedWhen;
  const ahead = callsAhead(steps, current.from, when);
  const people = totalOf(impact?.calls ?? {}) + (decides?.calls ?? 0);
  const calls = (read?.calls ?? 0) === 0 ? {} : { [policy.name]: read?.calls ?? 0 };
  const policies = read?.policies ?? policiesIn(plan, look);
  const made = {
    ...inOrder(sumOf(current.calls, calls)),
    ...(names !== null && { names: names.calls }),
    ...(people > 0 && { people }),
  };
  const blind = blindSpotsIn(allOf(plan), current.from, recordLookup(snapshot));
  const findings = [...guardPlan({ ...plan, policies, impact }, rules), ...own.findings];
  const addresses = steps.map(({ address }) => address);
  return {
    value: {
      ...(context !== null && { context }),
      ...(unapplied !== null && { unapplied }),
      names: names?.names ?? namesIn(plan, look),
      unseen: [...blind, ...current.unknown, ...(names?.unseen ?? [])],
      ...(Object.keys(policies).length > 0 && { policies }),
      ...(decides !== null && decides.decides.length > 0 && { decides: decides.decides }),
      impact,
      findings,
      calls: { made, ahead },
      estimate: estimate(ahead, look.ahead.width),
    },
    diagnostics: [...idleAnswers(findings, rules), ...misspelt(findings, rules, addresses), ...own.notes],
  };
}

function allOf(plan: Plan): readonly Step[] {
  return [...plan.steps, ...pendingIn(plan)];
}

/**
 * What a plan could not see: kinds without reads, objects and names that could not be read, objects of unknown kinds.
 */
function blindSpotsIn(
  steps: readonly Step[],
  from: Current["from"],
  memory: Pick<RecordLookup, "entry" | "strangers">,
): readonly Unseen[] {
  const used = new Set(steps.map(({ address }) => address.kind));
  const recorded = kinds
    .filter(({ name }) => used.has(name) && from[name]?.source === "recorded")
    .map(({ name, noun }) => ({
      what: noun.many,
      why: `${from[name]?.why ?? "the core interface has no reads"}; ${recordsUsed(name, steps, memory)}`,
    }));
  const unread = steps
    .filter(({ sight: { exists } }) => exists === "not read")
    .flatMap(({ address, diagnostics }) =>
      diagnostics.map(({ message }) => ({ what: formatAddress(address), why: message })),
    );
  const unknown = memory.strangers.map(({ address }) => ({
    what: formatAddress(address),
    why: "the state contains it, and this version does not know its kind",
  }));
  return [...recorded, ...unread, ...unknown];
}

/** Whether there are records of a kind, and from when: a record does not show what happened in the tenant since. */
function recordsUsed(kind: string, steps: readonly Step[], memory: Pick<RecordLookup, "entry">): string {
  const days = steps
    .filter(({ address }) => address.kind === kind)
    .flatMap(({ key }) => memory.entry(kind, key)?.at.slice(0, 10) ?? [])
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined)
    return "nothing is recorded of them, so remit cannot know what exists";
  return `remit uses what it recorded ${first === last ? `on ${first}` : `from ${first} to ${last}`}`;
}
