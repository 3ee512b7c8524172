import { Buffer } from "node:buffer";
import { DEFAULT_LIMITS } from "../../src/plan/guards/limits.js";
import { NO_SETTINGS } from "../../src/plan/guards/proposal.js";
import type { Request } from "../../src/reconcile.js";

/** A request for a plan of manifests that arrive on the standard input; null for a project without any. */
export function requestFor(manifests: string | null, more: Partial<Request> = {}): Request {
  return {
    manifests: {
      project: manifests === null ? [] : ["-"],
      paths: [],
      cwd: "/",
      stdin: async () => Buffer.from(manifests ?? "", "utf8"),
    },
    server: "https://tenant.example",
    project: null,
    interface: "auto",
    mode: { offline: false, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null },
    commit: null,
    limits: DEFAULT_LIMITS,
    since: null,
    moved: [],
    removals: { decisions: [], isPruneStanding: false },
    acknowledgements: [],
    today: "2026-01-01",
    width: 4,
    counting: null,
    nameCalls: 0,
    mainline: null,
    settings: NO_SETTINGS,
    ...more,
  };
}
