import { Buffer } from "node:buffer";
import { NO_SETTINGS, type Rules } from "../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import type { Request } from "../../src/plan/request.js";

/** What a test says of a request: the members of its groups, without the groups. */
export type RequestFields = Partial<
  Omit<Request["project"], "name"> &
    Request["history"] &
    Request["tenant"] &
    Rules &
    Request["optional"] & { readonly mode: Request["mode"]; readonly project: string | null }
>;

/** A request for a plan of manifests that arrive on the standard input; null for a project without any. */
export function requestFor(manifests: string | null, more: RequestFields = {}): Request {
  const { found } = more;
  return {
    project: {
      name: more.project ?? null,
      manifests: more.manifests ?? {
        project: manifests === null ? [] : ["-"],
        paths: [],
        cwd: "/",
        stdin: async () => Buffer.from(manifests ?? "", "utf8"),
      },
      commit: more.commit ?? null,
      removals: more.removals ?? { decisions: [], isPruneStanding: false },
      moved: more.moved ?? [],
      ...(found !== undefined && { found }),
    },
    history: { since: more.since ?? null, reviewed: more.reviewed ?? null, mainline: more.mainline ?? null },
    tenant: {
      server: more.server ?? "https://tenant.example",
      interface: more.interface ?? "auto",
      width: more.width ?? 4,
      ...(more.lateSince !== undefined && { lateSince: more.lateSince }),
      ...(more.ownersLag !== undefined && { ownersLag: more.ownersLag }),
    },
    mode: more.mode ?? {
      offline: false,
      refreshOnly: false,
      prune: false,
      cascade: [],
      targets: [],
      selector: null,
    },
    rules: {
      limits: more.limits ?? DEFAULT_LIMITS,
      acknowledgements: more.acknowledgements ?? [],
      today: more.today ?? "2026-01-01",
      settings: more.settings ?? NO_SETTINGS,
    },
    optional: { counting: more.counting ?? null, nameCalls: more.nameCalls ?? 0 },
  };
}
