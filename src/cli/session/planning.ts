import { type Diagnostic, strictly } from "../../model/diagnostic.js";
import { type Acknowledgement, parseAcknowledgement } from "../../plan/acknowledge.js";
import type { Mode } from "../../plan/plan.js";
import type { Request } from "../../reconcile.js";
import { commitOf } from "../outside/commit.js";
import type { World } from "../outside/world.js";
import { manifestPaths, type Project } from "../project/project.js";
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
      paths: manifestPaths(world, project, paths),
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
      prune: flags.prune,
      cascade: [...settings.prunable.value.map((name) => `ResourceType/${name}`), ...(flags.cascade ?? [])],
      targets: flags.target ?? [],
      selector: flags.selector ?? null,
    },
    commit: await commitOf(root),
    limits: settings.limits.value,
    acknowledgements: acknowledgementsFrom(project, flags),
    today: today(world),
    width: settings.concurrency.value,
  };
}

/** What is told of a plan's making; warnings are errors where that is asked for. */
export function heard(diagnostics: readonly Diagnostic[], flags: PlanningFlags): readonly Diagnostic[] {
  return flags.strict ? strictly(diagnostics) : diagnostics;
}

/** Who answers for guards: the command line, then the project file. */
export function acknowledgementsFrom(
  { settings }: Project,
  { acknowledge }: PlanningFlags,
): readonly Acknowledgement[] {
  return [...(acknowledge ?? []).map(parseAcknowledgement), ...settings.acknowledgements.value];
}

/** The date, in UTC: `2026-01-31`. */
export function today({ clock }: World): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}
