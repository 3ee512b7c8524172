import type { Sandbox } from "../../../src/sandbox/http/server.js";
import type { Project } from "../../fakes/project.js";

/** What a run was doing when it was killed, as far as an observer can see. */
export type Phase = "starting" | "recovering" | "planning" | "writing" | "keeping" | "over";

/** How things stand beside a run. */
export interface Standing {
  readonly requests: number;
  readonly writes: number;
  readonly serial: number;
  readonly hasJournal: boolean;
  readonly isSaving: boolean;
}

/** How things stand now. */
export function standing(project: Project, { log }: Sandbox): Standing {
  return {
    requests: log.count(),
    writes: log.count({ written: true }),
    serial: project.state()?.serial ?? 0,
    hasJournal: project.hasJournal(),
    isSaving: project.kept().some((name) => /^state\.json\.(?!lock).*draft$/.test(name)),
  };
}

/** What a run was doing, by how things stood before it and after its death. */
export function phaseOf(before: Standing, after: Standing): Phase {
  if (after.isSaving) return "keeping";
  if (after.writes > before.writes) {
    if (!after.hasJournal) return "over";
    return after.serial > before.serial && !before.hasJournal ? "keeping" : "writing";
  }
  if (after.hasJournal) return before.hasJournal ? "recovering" : "writing";
  return after.requests > before.requests ? "planning" : "starting";
}
