import type { Asked } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import { listOfApps } from "../kinds/referable.js";
import { formatCallPath } from "../model/call.js";
import type { Failed, Fetched } from "./fetched.js";

/** Whether the service offers to read the objects of a kind. */
export type Offer =
  | { readonly as: "offered" }
  | { readonly as: "not offered"; readonly why: string }
  /** The answers do not decide it: the run ends. */
  | Failed;

/** What the reads that find the interface were answered. */
export interface Probes {
  /** The first read of each kind; null where the kind needs no read. */
  readonly openings: ReadonlyMap<Kind, Fetched<unknown> | null>;
  /** The list of apps; null where it was not asked. */
  readonly apps: Fetched<unknown> | null;
  /** Whether the state says that remit ever read this server. */
  readonly wasRead: boolean;
}

/**
 * Whether a kind can be read. A kind is recorded-only where its read and the list of apps are both answered like an
 * unknown route, and nothing shows that the server has reads. A failure never counts as an absence.
 */
export function offerOf(kind: Kind, asked: Asked, probes: Probes): Offer {
  const { apps, wasRead, openings } = probes;
  const opening = openings.get(kind) ?? null;
  if (asked === "full" || wasRead) return { as: "offered" };
  if (opening?.as === "failed") return opening;
  if (apps?.as === "failed") return apps;
  if (apps?.as === "absent") return undecided;
  if (opening?.as !== "not offered") return { as: "offered" };
  const hasReads = apps?.as === "got" || [...openings.values()].some((one) => one?.as === "got");
  return hasReads ? missingRead(kind, opening.why) : opening;
}

/** A server with reads answers the read of one kind as if it had none. */
function missingRead({ name, noun }: Kind, why: string): Failed {
  const diagnostic = {
    code: "service/not-offered",
    severity: "error",
    message: `${why}, but the server answers other reads: ${noun.many} may exist and cannot be read`,
    hint: `If the server has no such read, write \`interface: { ${name}: core }\` in remit.yaml.`,
  } as const;
  return { as: "failed", trouble: "refused", why, diagnostic };
}

/** A list of the whole tenant cannot be missing, so this 404 may come from a server without any reads. */
const undecided: Failed = {
  as: "failed",
  trouble: "refused",
  why: `GET ${formatCallPath(listOfApps())} answered 404`,
  diagnostic: {
    code: "service/not-offered",
    severity: "error",
    message: `GET ${formatCallPath(listOfApps())} answered 404 in the service's own form: the server may have no reads`,
    hint: "remit cannot decide from this answer which interface the server has.",
  },
};
