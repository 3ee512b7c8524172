import { isAlreadySo } from "../../apply/alreadySo.js";
import { wantedBy } from "../../apply/reads/recentReads.js";
import { makeReread } from "../../apply/reads/reread.js";
import { kindNamed } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { settling } from "../../plan/decide/uncertain.js";
import type { Plan } from "../../plan/plan.js";
import type { Applying, CreatedObject } from "../../state/snapshot.js";
import type { Session } from "../session.js";

/** What a state says of an effect, as far as it counts; and why the rest does not. */
export interface ConfirmedApplying {
  readonly applying: Applying | null;
  readonly unconfirmed: readonly Diagnostic[];
}

/**
 * What a state that others may write says of an effect, as far as the tenant confirms it. An object counts as one that
 * the effect made only if it was made not before the merge. Each field that its create sends must be as the plan wants it. `mergedAt` is null where that time is not known: then no object counts.
 */
export async function confirmedApplying(
  plan: Plan,
  before: Applying | null,
  mergedAt: number | null,
  { store, client }: Pick<Session, "store" | "client">,
): Promise<ConfirmedApplying> {
  const { created = [] } = before ?? {};
  if (before === null || created.length === 0 || store.isOwn) return { applying: before, unconfirmed: [] };
  const look = client === null ? null : makeReread(client, true);
  const judged = await Promise.all(
    created.map(async (one) => {
      const why = await doubtOf(one);
      return { one, why };
    }),
  );
  const { created: _, ...rest } = before;
  const left = judged.flatMap(({ one, why }) => (why === null ? [one] : []));
  return {
    applying: left.length === 0 ? rest : { ...rest, created: left },
    unconfirmed: judged.flatMap(({ one, why }) => (why === null ? [] : [unconfirmed(one, why, plan)])),
  };

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
    const sent = step.owned.filter((name) => kind.followsCreate?.includes(name) !== true);
    const isEqual = step.action === "keep" || isAlreadySo({ ...step, owned: sent }, seen, kind);
    return isEqual ? null : "a field that its create sends has another value";
  }
}

function unconfirmed({ address, key }: CreatedObject, why: string, { since, commit }: Plan): Diagnostic {
  const manual =
    since === null || commit === null
      ? "start the manual job for it"
      : `start the manual job with base: ${since.commit} and commit: ${commit}`;
  return {
    code: "apply/unconfirmed-object",
    severity: "error",
    message: `${formatAddress(address)}: the state says that an apply of this effect made ${key.join("/")}, and the tenant does not confirm it: ${why}`,
    hint: `Nothing was applied. Look at the object. If this apply made it, run \`${settling({ address, key })}\`. Then review a new plan, and ${manual}.`,
  };
}
