import { kindNamed } from "../../kinds/index.js";
import { formatAddress, parseAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isKey } from "../../model/expectation.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import { settling } from "../../plan/decide/uncertain.js";
import type { Plan } from "../../plan/plan.js";
import { hashOfDelete, isUnshown } from "../../plan/saved/effect.js";
import type { Applying, CreatedObject } from "../../state/snapshot.js";
import { say } from "../../words/say.js";
import { isAlreadySo } from "../alreadySo.js";
import { wantedBy } from "../reads/recentReads.js";
import { makeReread } from "../reads/reread.js";
import type { Session } from "../session.js";

/** What a state says of an effect, as far as it counts; and why the rest does not. */
interface ConfirmedApplying {
  readonly applying: Applying | null;
  readonly unconfirmed: readonly Diagnostic[];
}

/** What an effect is confirmed for. */
interface Expected {
  readonly plan: Plan;
  /** Whether the plan was saved, so that it has the steps that are done; a new plan has only those that are left. */
  readonly isSaved: boolean;
  /** Whether the state says where the change of a new plan begins. */
  readonly isRecorded: boolean;
  /** When what is expected was merged; null where that is not known: then no object counts as made by the effect. */
  readonly mergedAt: number | null;
}

/**
 * What a state that others may write says of an effect, as far as the tenant confirms it. An object counts as one that
 * the effect made only if it was made not before the merge. Each field that its create sends must be as the plan wants it.
 * A new plan shows each step of a manifest that is not done, where the service can be read. Any other step counts as done
 * only if its object is gone. What a saved plan has of them is confirmed by `continuedSteps`.
 */
export async function confirmedApplying(
  { plan, isSaved, isRecorded, mergedAt }: Expected,
  before: Applying | null,
  { store, client }: Pick<Session, "store" | "client">,
): Promise<ConfirmedApplying> {
  if (before === null || store.isOwn) return { applying: before, unconfirmed: [] };
  if (isRecorded) {
    const why = "it began, and the state says where the change begins, too (--since without a commit)";
    return { applying: null, unconfirmed: [unconfirmedStep(why, plan)] };
  }
  const { created = [], deleted = [], ...rest } = before;
  const look = client === null ? null : makeReread(client, true);
  const judged = await Promise.all(created.map(async (one) => ({ one, why: await doubtOf(one) })));
  const left = judged.flatMap(({ one, why }) => (why === null ? [one] : []));
  const deletes = new Map(deleted.map((one) => [hashOfDelete(one), one]));
  const claimed = isSaved ? [] : before.done.filter(isUnshown);
  const doubts = await Promise.all(
    claimed.map(async (hash) => ({ hash, why: await doubtOfDone(deletes.get(hash)) })),
  );
  const doubted = new Set(doubts.flatMap(({ hash, why }) => (why === null ? [] : [hash])));
  return {
    applying: {
      ...rest,
      done: before.done.filter((hash) => !doubted.has(hash)),
      ...(deleted.length > 0 && { deleted }),
      ...(left.length > 0 && { created: left }),
    },
    unconfirmed: [
      ...judged.flatMap(({ one, why }) => (why === null ? [] : [unconfirmed(one, why, plan)])),
      ...doubts.flatMap(({ why }) => (why === null ? [] : [unconfirmedStep(why, plan)])),
    ],
  };

  /** Why a step that no plan shows any more does not count as done; null where it does. */
  async function doubtOfDone(covered: JsonObject | undefined): Promise<string | null> {
    const address = typeof covered?.address === "string" ? parseAddress(covered.address) : undefined;
    const kind = kindNamed(address?.kind ?? "");
    if (
      covered === undefined ||
      address === undefined ||
      kind === undefined ||
      isKey(covered.key) !== "fitting"
    )
      return "a step is done, and the service does not show that";
    const name = formatAddress(address);
    const key = covered.key as Key;
    if (look === null || plan.interface.kinds[kind.name]?.source !== "live")
      return `${name} is deleted, and the service does not show that`;
    const before = isObject(covered.before) ? covered.before : null;
    const seen = await look.one(
      wantedBy({ address, key, managed: { identity: {} }, before, after: null }, kind),
    );
    if (seen.as === "absent") return null;
    return `${name} is deleted, and ${seen.as === "present" ? "the tenant has it" : "the service does not show that"}`;
  }

  /** Why an object does not count as made by the effect; null where it does. */
  async function doubtOf({ address, key }: CreatedObject): Promise<string | null> {
    const kind = kindNamed(address.kind);
    const name = formatAddress(address);
    const step = plan.steps.find((step) => formatAddress(step.address) === name);
    if (kind === undefined || step === undefined) return "the plan has no such step";
    if (mergedAt === null) return "the time of the merge is not known (--merged-at)";
    if (look === null || plan.interface.kinds[kind.name]?.source !== "live")
      return "the service does not show it";
    const seen = await look.one(wantedBy({ ...step, key }, kind));
    if (seen.as !== "present") return "the service does not show it";
    const made = Date.parse(seen.createdAt ?? "");
    if (Number.isNaN(made)) return "the service does not say when it was made";
    if (made < mergedAt) return `it was made at ${seen.createdAt}, before the merge`;
    const sent = step.managed.owned.filter((name) => kind.followsCreate?.includes(name) !== true);
    const isEqual =
      step.action === "keep" ||
      isAlreadySo({ ...step, managed: { ...step.managed, owned: sent } }, seen, kind);
    return isEqual ? null : "a field that its create sends has another value";
  }
}

/** A step that the state calls done, and that the tenant does not show. */
export function unconfirmedStep(why: string, plan: Plan): Diagnostic {
  return say("apply/unconfirmed-step", { why, plan: manualJob(plan) });
}

/** What starts the manual job for a plan. */
function manualJob({ since, commit }: Plan): string {
  return since === null || commit === null
    ? "start the manual job for it"
    : `start the manual job with base: ${since.commit} and commit: ${commit}`;
}

function unconfirmed({ address, key }: CreatedObject, why: string, plan: Plan): Diagnostic {
  return say("apply/unconfirmed-object", {
    address,
    key: key.join("/"),
    why,
    settling: settling({ address, key }),
    plan: manualJob(plan),
  });
}
