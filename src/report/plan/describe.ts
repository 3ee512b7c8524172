import { unnamedIn } from "../../diff/unnamed.js";
import type { Kind } from "../../kinds/kind.js";
import { type Address, formatAddress } from "../../model/address.js";
import { formatCallPath } from "../../model/call.js";
import { lineAt } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { isPending } from "../../plan/calls.js";
import { identityOf } from "../../plan/decide/situation.js";
import { flagFor } from "../../plan/guards/acknowledge.js";
import { isDriftDangerous } from "../../plan/guards/guards.js";
import { unknownBehind } from "../../plan/guards/policies.js";
import { labelChangesIn } from "../../plan/labels/otherLabels.js";
import type { PlanImpact } from "../../plan/people/impact.js";
import { isAllOf, totalsOf } from "../../plan/people/totals.js";
import { type Decides, type Finding, type Planned, pendingIn } from "../../plan/plan.js";
import { type FieldChange, type Step, wasDeleted } from "../../plan/step.js";
import type { Unmanaged } from "../../plan/unmanaged/unmanaged.js";
import { naturally } from "../text/natural.js";
import { SIGNS } from "../view/signs.js";
import { byPeople } from "./byPeople.js";
import { describeFields } from "./fields.js";
import { describePeople, isIdle, undocumentedIn } from "./people.js";
import { describeDecides, describeRemarks, describeUnknown } from "./remarks.js";
import type { FindingReport, PlanReport, ShownAction, StepReport } from "./report.js";
import { riskOf } from "./risk.js";
import { withStatements } from "./statements.js";
import { shownAs } from "./words/labels.js";
import { explain, explainReplacement, staysActive } from "./words/reasons.js";
import { describeUnmanaged } from "./words/unmanaged.js";
import { type Names, showTitle } from "./words/values.js";

/**
 * Describes a plan in a reader's words, once for every renderer; `effect` is that of the frozen plan. A plan that cannot be
 * applied by nature, made offline and not saved, decides no finding.
 */
export function describePlan(
  plan: Planned,
  effect: string,
  kindOf: (name: string) => Kind | undefined,
  isDecided = true,
  unmanaged: Unmanaged | null = null,
): PlanReport {
  const { steps, findings, unseen, rewritten, notCompared, calls, estimate } = plan;
  const guarded = new Set(
    findings.flatMap(({ address }) => (address === null ? [] : formatAddress(address))),
  );
  const peopleOf = peopleIn(plan);
  const describeAll = (some: readonly Step[]) =>
    some
      .filter(isWorthShowing)
      .map((step) => {
        const kind = kindOf(step.address.kind);
        const isDangerous = kind !== undefined && isDriftDangerous(step);
        const risk = riskOf(step, isDangerous || guarded.has(formatAddress(step.address)));
        const report = describeStep(step, risk, peopleOf(step), plan, kind);
        return { report, address: step.address };
      })
      .sort(
        (one, other) =>
          other.report.risk - one.report.risk ||
          byPeople(one.report, other.report) ||
          naturally(one.address, other.address),
      )
      .map(({ report }) => report);
  return withStatements({
    formatVersion: 1,
    server: plan.server,
    ...(plan.context === undefined ? {} : { context: plan.context }),
    commit: plan.commit,
    since: plan.since === null ? null : { ...plan.since, pending: describeAll(plan.since.pending) },
    ...(plan.unapplied === undefined ? {} : { unapplied: plan.unapplied }),
    effect,
    settings: plan.settings,
    hasState: plan.state !== null,
    refreshOnly: plan.mode.refreshOnly,
    undoesNothing: plan.mode.refreshOnly ? null : undoneIn(steps),
    pending: steps.some(({ action }) => isPending(action)),
    counts: countAll(steps),
    kinds: countPerKind(steps),
    steps: describeAll(steps),
    labelChanges: labelChangesIn([...steps, ...pendingIn(plan)]).map(({ address, span, by, labels }) => {
      return { address: formatAddress(address), place: lineAt(span), by, labels };
    }),
    findings: findings.map(describeFinding),
    isDecided,
    writtenUnseen: writtenUnseen(plan),
    unseen: [...unseen, ...(unmanaged?.unknown ?? [])],
    rewritten: rewritten.map(({ address, fields }) => ({ address: formatAddress(address), fields })),
    notCompared,
    calls: withInventory(calls, unmanaged?.calls ?? 0),
    estimate,
    people: plan.impact === null ? null : counting(plan, plan.impact),
    diagnostics: plan.diagnostics ?? [],
    unmanaged: describeUnmanaged(unmanaged, kindOf),
  });
}

/** The writes of objects that were not seen and for which no guard asks. */
function writtenUnseen({ steps, findings }: Planned): readonly string[] {
  const asked = new Set(
    findings.flatMap(({ guard, address }) =>
      guard === "unknown-current" && address !== null ? [formatAddress(address)] : [],
    ),
  );
  return steps
    .filter(({ sight: { unseen } }) => unseen !== null)
    .map(({ address }) => formatAddress(address))
    .filter((name) => !asked.has(name))
    .sort();
}

/** An unchanged object is only counted, unless it has a diagnostic. */
function isWorthShowing({ action, diagnostics }: Step): boolean {
  return action !== "keep" || diagnostics.length > 0;
}

function describeStep(
  step: Step,
  risk: number,
  people: StepReport["people"],
  plan: Pick<Planned, "names" | "interface" | "policies" | "decides">,
  kind: Kind | undefined,
): StepReport {
  const { names, policies = {}, decides = [] } = plan;
  const replaces = describeReplacement(step, names, kind);
  const { address, changes, needs, calls, diagnostics } = step;
  const { renamedFrom, givenBack } = step.recorded;
  const { span } = step.managed;
  return {
    address: formatAddress(address),
    labels: step.managed.labels ?? {},
    app: appOf(step, names),
    action: shownAs(step.action),
    renamedFrom: renamedFrom === null ? null : formatAddress(renamedFrom),
    title: kind === undefined ? (step.key ?? []).join(" › ") : showTitle(step, kind.shape, names),
    replaces,
    reason:
      step.replaces === null || replaces === null
        ? explain(step, kind)
        : explainReplacement(step.replaces, replaces.title),
    place: lineAt(span),
    risk,
    fields: kind === undefined ? [] : describeFields(step, kind.shape, plan),
    staysActive: staysActive(step),
    isDrift: wasDeleted(step) || (changes.length > 0 && changes.every(isDrifted)),
    givenBack,
    remarks: [
      ...describeRemarks(step, kind),
      ...describeDecides(decidesOf(step, decides), step.key === null),
      ...describeUnknown(unknownBehind(step, policies).map((id) => names[`policy:${id}`] ?? id)),
    ],
    people,
    kept: kind === undefined || step.calls.length === 0 ? [] : unnamedIn(step.after ?? {}, kind.shape),
    needs: needs.map(formatAddress),
    calls: calls.map((call) => `${call.method} ${formatCallPath(call)}`),
    diagnostics,
  };
}

function decidesOf({ address }: Step, decides: readonly Decides[]): readonly Decides[] {
  return decides.filter((one) => formatAddress(one.address) === formatAddress(address));
}

/** The app that a step is in, by its name where that is known; null where its kind is in none. */
function appOf({ managed: { identity }, key, after }: Step, names: Planned["names"]): string | null {
  const id = identity.appId ?? after?.appId;
  if (typeof id !== "string") return key?.[0] === undefined ? null : (names[`app:${key[0]}`] ?? null);
  return names[`app:${id}`] ?? id;
}

function describeReplacement(
  { replaces }: Step,
  names: Planned["names"],
  kind: Kind | undefined,
): StepReport["replaces"] {
  if (replaces === null) return null;
  const { key, by } = replaces;
  const identity = kind === undefined ? {} : identityOf(kind, key);
  const old = { key, managed: { identity }, before: null, after: null };
  const title = kind === undefined ? key.join(" › ") : showTitle(old, kind.shape, names);
  return { title, key: key.join("/"), by: shownAs(by) };
}

/** How many objects a change releases that does nothing else; null where it does more, or nothing. */
function undoneIn(steps: readonly Step[]): number | null {
  const others = steps.filter(({ action }) => action !== "keep");
  return others.length > 0 && others.every(releases) ? others.length : null;
}

/** Whether a step only stops managing something that stays in the tenant. */
function releases({ action, sight: { exists }, reason }: Step): boolean {
  if (action === "adopt") return reason === "given back";
  return (action === "removed" || action === "forget") && exists !== "no";
}

function isDrifted({ cause, edit }: FieldChange): boolean {
  return cause === "drifted" && edit === null;
}

/** The people of each step, by its address and its key. */
function peopleIn({ impact, names }: Planned): (step: Step) => StepReport["people"] {
  if (impact === null) return () => null;
  const counted = groupBy(
    impact.steps.filter((one) => !isIdle(one)),
    placeOf,
  );
  return (step) => {
    const [first, ...others] = (counted.get(placeOf(step)) ?? []).map((one) =>
      describePeople(one, impact, names),
    );
    if (first === undefined) return null;
    return { ...first, lines: [...first.lines, ...others.flatMap(({ lines }) => lines)] };
  };
}

function placeOf({ address, key }: Pick<Step, "address" | "key">): string {
  return JSON.stringify([address.kind, address.name, key]);
}

function nameOfRef({ appId, id, name }: UnreadRef, names: Names): string {
  return `${names[`app:${appId}`] ?? appId} › ${name ?? names[`entitlement:${appId}/${id}`] ?? id}`;
}

type UnreadRef = NonNullable<PlanImpact["conflicts"]>[number]["unread"][number];

/** A step that is gone from the plan, because it was applied before, has no people left to count. */
function counting({ steps, names }: Planned, impact: PlanImpact): PlanReport["people"] {
  const { users, uncounted, failed, calls } = impact;
  const left = new Set(steps.map(({ address }) => formatAddress(address)));
  const open = uncounted.filter(({ address }) => left.has(formatAddress(address)));
  return {
    users,
    uncounted: open.map(named),
    failed,
    calls,
    follow: impact.follow.map((one) => ({ ...named(one), asksFor: one.asksFor.map(formatAddress) })),
    unknownAttributes: impact.unknownAttributes.map(named),
    ...(impact.conflicts && {
      conflicts: impact.conflicts.map(({ address, newly, isNegated, unread }) => ({
        address: formatAddress(address),
        newly,
        isNegated,
        unread: unread.map((ref) => nameOfRef(ref, names)),
      })),
    }),
    withoutPeople: impact.withoutPeople.map(named),
    undocumented: undocumentedIn(impact.steps.filter(({ address }) => left.has(formatAddress(address)))),
    totals: totalsOf({ impact, steps }),
    spread: isAllOf(impact, steps) ? impact.spread : [],
  };
}

function named<T extends { readonly address: Address }>(
  one: T,
): Omit<T, "address"> & { readonly address: string } {
  return { ...one, address: formatAddress(one.address) };
}

function describeFinding(finding: Finding): FindingReport {
  const { guard, address, message, hash, acknowledged, proposed, own } = finding;
  return {
    guard,
    address: address === null ? null : formatAddress(address),
    message,
    hash,
    acknowledged,
    proposed,
    flag: own?.level === "deny" ? null : flagFor(finding, quoted),
  };
}

/** An argument quoted for a shell, because a plan from outside may contain any text. */
function quoted(argument: string): string {
  return /^[\w./=@:-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

const NAMES = Object.keys(SIGNS) as readonly ShownAction[];

function countAll(steps: readonly Step[]): PlanReport["counts"] {
  const counts = NAMES.map((name) => [name, steps.filter(({ action }) => shownAs(action) === name).length]);
  return Object.fromEntries(counts) as Record<ShownAction, number>;
}

function countPerKind(steps: readonly Step[]): PlanReport["kinds"] {
  const kinds = [...new Set(steps.map(({ address }) => address.kind))].sort();
  return Object.fromEntries(
    kinds.map((kind) => [kind, met(countAll(steps.filter(({ address }) => address.kind === kind)))]),
  );
}

function met(counts: PlanReport["counts"]): PlanReport["kinds"][string] {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The calls of a plan, and those that looked for what is not managed. */
function withInventory({ made, ahead }: Planned["calls"], unmanaged: number): Planned["calls"] {
  return unmanaged === 0 ? { made, ahead } : { made: { ...made, unmanaged }, ahead };
}
