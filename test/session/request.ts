import { Buffer } from "node:buffer";
import { DEFAULT_LIMITS } from "../../src/plan/guards/limits.js";
import { NO_SETTINGS, type Rules } from "../../src/plan/guards/rules.js";
import type { Request } from "../../src/reconcile.js";

/** What a test says of a request: the rules that it is judged by stand among the other fields. */
export type RequestFields = Partial<Request & Rules>;

/** A request for a plan of manifests that arrive on the standard input; null for a project without any. */
export function requestFor(manifests: string | null, more: RequestFields = {}): Request {
  const { limits, acknowledgements, today, settings, ...others } = more;
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
    rules: {
      limits: limits ?? DEFAULT_LIMITS,
      acknowledgements: acknowledgements ?? [],
      today: today ?? "2026-01-01",
      settings: settings ?? NO_SETTINGS,
    },
    since: null,
    moved: [],
    removals: { decisions: [], isPruneStanding: false },
    width: 4,
    counting: null,
    nameCalls: 0,
    mainline: null,
    ...others,
  };
}
