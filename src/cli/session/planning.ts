import { commitOf } from "../../entry/documents.js";
import { type Mode, parseAcknowledgement, type Request } from "../../entry/session.js";
import { gitEnvironment } from "../../entry/values.js";
import { manifestPaths } from "../project/project.js";
import type { SettingFlags } from "../project/settings.js";
import type { Run } from "./run.js";

/** The flags of every command that plans. */
export interface PlanningFlags extends SettingFlags {
  readonly target?: readonly string[];
  readonly selector?: string;
  readonly prune: boolean;
  readonly cascade?: readonly string[];
  readonly acknowledge?: readonly string[];
  readonly strict: boolean;
}

/** What a command line asks of a plan. */
export async function requestFrom(
  { world, project, tenant }: Run,
  flags: PlanningFlags,
  { offline, refreshOnly }: Pick<Mode, "offline" | "refreshOnly">,
  paths: readonly string[],
): Promise<Request> {
  const { root, settings } = project;
  return {
    manifests: {
      project: project.hasFile ? manifestPaths(world, project, []) : null,
      paths: project.hasFile && paths.length === 0 ? [] : manifestPaths(world, project, paths),
      cwd: root,
      stdin: () => world.stdin.bytes(),
      strict: flags.strict,
      apps: settings.apps.value,
    },
    server: tenant?.name ?? settings.server.value ?? "none",
    interface: settings.interface.value,
    mode: {
      offline,
      refreshOnly,
      prune: flags.prune || settings.prunesAlways.value,
      cascade: [...settings.prunable.value.map((name) => `ResourceType/${name}`), ...(flags.cascade ?? [])],
      targets: flags.target ?? [],
      selector: flags.selector ?? null,
    },
    commit: await commitOf(root, gitEnvironment(world.env)),
    limits: settings.limits.value,
    removals: {
      decisions: settings.removed.value,
      isPruneStanding: settings.prunesAlways.value && !flags.prune,
    },
    acknowledgements: [
      ...(flags.acknowledge ?? []).map(parseAcknowledgement),
      ...settings.acknowledgements.value,
    ],
    today: new Date(world.clock.now()).toISOString().slice(0, 10),
    width: settings.concurrency.value,
  };
}
