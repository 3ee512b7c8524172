import { STEPS_ALONE } from "../../apply/preview.js";
import { formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import type { Key } from "../../model/key.js";
import { formatPath } from "../../model/path.js";
import type { Recalled, Request } from "../../plan/request.js";
import type { Step } from "../../plan/step.js";
import { plan as planFrom } from "../../reconcile.js";
import type { Tenant } from "../../tenant/tenant.js";

/** A manifest that is not yet a file. */
export interface Manuscript {
  readonly kind: string;
  readonly name: string;
  readonly key: Key;
  /** The app that the object belongs to; null where it belongs to none. */
  readonly app: { readonly id: string; readonly name: string } | null;
  readonly text: string;
}

/** A manifest that cannot be written, and why. */
export interface Refused {
  readonly manuscript: Manuscript;
  readonly why: string;
}

/** Manifests whose plan is empty, and those that were left out to get there. */
interface EmptyPlan {
  readonly kept: readonly Manuscript[];
  readonly refused: readonly Refused[];
}

/** Few enough that their texts are far from the size that remit reads at most. */
const AT_ONCE = 1_000;

/**
 * The manifests that change nothing: each is planned in memory, by the same plan as files are, until the plan of the rest
 * is empty. A manifest that is not valid or would change something is left out, with the field.
 */
export async function withEmptyPlan(
  manuscripts: readonly Manuscript[],
  request: Request,
  recalled: Recalled,
  tenant: Tenant,
): Promise<Checked<EmptyPlan>> {
  const kept: Manuscript[] = [];
  const refused: Refused[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let at = 0; at < manuscripts.length; at += AT_ONCE) {
    let open = manuscripts.slice(at, at + AT_ONCE);
    while (open.length > 0) {
      const round = await faultsOf(open, request, recalled, tenant);
      diagnostics.push(...round.diagnostics);
      if (hasErrors(round.diagnostics)) break;
      if (round.value.size === 0) {
        kept.push(...open);
        break;
      }
      for (const [manuscript, why] of round.value) refused.push({ manuscript, why });
      open = open.filter((manuscript) => !round.value.has(manuscript));
    }
  }
  return { value: { kept, refused }, diagnostics };
}

/** Why some manifests change something or cannot be planned; errors that are about none of them end the check. */
async function faultsOf(
  manuscripts: readonly Manuscript[],
  request: Request,
  recalled: Recalled,
  tenant: Tenant,
): Promise<Checked<ReadonlyMap<Manuscript, string>>> {
  const stream = manuscripts.map(({ text }) => text).join(SEPARATOR);
  const manifests = {
    ...request.project.manifests,
    project: null,
    paths: ["-"],
    strict: false,
    stdin: async () => new TextEncoder().encode(stream),
  };
  const mode = {
    ...request.mode,
    offline: false,
    refreshOnly: false,
    prune: false,
    targets: [],
    selector: null,
  };
  const asked: Request = { ...request, project: { ...request.project, manifests }, mode, ...STEPS_ALONE };
  const { value: plan, diagnostics } = await planFrom(asked, recalled, tenant, "later");
  const found = new Map<Manuscript, string>();
  if (plan === null) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const lines = firstLines(manuscripts);
    for (const { span, message } of errors) {
      const place = span === undefined ? -1 : lines.findLastIndex((line) => line <= span.start.line);
      const manuscript = manuscripts[place];
      if (manuscript !== undefined && !found.has(manuscript)) found.set(manuscript, message);
    }
    return { value: found, diagnostics: found.size > 0 ? [] : errors };
  }
  const byAddress = new Map(manuscripts.map((manuscript) => [formatAddress(manuscript), manuscript]));
  for (const step of plan.steps) {
    const manuscript = byAddress.get(formatAddress(step.address));
    if (manuscript !== undefined && step.action !== "keep" && step.action !== "adopt")
      found.set(manuscript, whatOf(step));
  }
  return { value: found, diagnostics: [] };
}

const SEPARATOR = "---\n";

/** The line on which each manifest begins in the stream of all. */
function firstLines(manuscripts: readonly Manuscript[]): readonly number[] {
  let line = 1;
  return manuscripts.map(({ text }) => {
    const first = line;
    line += text.split("\n").length;
    return first;
  });
}

function whatOf({ action, changes, diagnostics, reason }: Step): string {
  const [first] = changes;
  if (action !== "blocked" && first !== undefined)
    return `the manifest would change ${formatPath(first.change.path)}`;
  return diagnostics[0]?.message ?? `its plan is not empty: ${reason}`;
}
