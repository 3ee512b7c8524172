import {
  type InComment,
  lastLine,
  type Pipeline,
  readOutcome,
  type StepHashes,
  stepHashes,
  verdictOf,
} from "../../../entry/forge.js";
import { describePlan, hidePeople, kindNamed, outlookOf, thaw } from "../../../entry/reports.js";
import { type Checked, isObject, parseJson } from "../../../entry/values.js";
import type { World } from "../../outside/world.js";
import { type NamedPart, placeOf, readFiles } from "./files.js";

/** A part of a comment, and what its status says. */
export interface CommentPart {
  readonly shown: InComment;
  readonly about: "plan" | "apply";
  readonly effect: string;
  readonly counts: string;
  readonly isGood: boolean;
  /** The hash of each writing step of a plan; none of an outcome. */
  readonly steps: StepHashes;
}

/** Reads and checks each plan and outcome; null, with the reasons, where one cannot be used. */
export function readParts(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
): Promise<Checked<readonly CommentPart[] | null>> {
  return readFiles(world, files, pipeline, partFrom, ({ shown, about }) => `${about} ${shown.name}`);
}

function partFrom(text: string, about: NamedPart): Checked<CommentPart | null> {
  const value = parseJson(text);
  if (isObject(value) && "outcomes" in value) {
    const { value: report, diagnostics } = readOutcome(text);
    if (report === null) return { value: null, diagnostics };
    const { name, linkBase } = placeOf(about, report.server, report.commit);
    const verdict = verdictOf(report);
    const facts = {
      effect: report.effect,
      counts: verdict.text,
      isGood: verdict.role === "added",
      steps: new Map(),
    };
    return {
      value: { shown: { as: "outcome", name, report, linkBase }, about: "apply", ...facts },
      diagnostics,
    };
  }
  const { value: thawed, diagnostics } = thaw(text);
  if (thawed === null) return { value: null, diagnostics };
  const { effect, estimate } = thawed;
  // A comment is read by more people than a plan.
  const plan = hidePeople(thawed.plan);
  const report = describePlan(estimate === null ? plan : { ...plan, estimate }, effect, kindNamed);
  const { name, linkBase } = placeOf(about, plan.server, plan.commit);
  const where = about.pipeline.run === null ? "" : `, and the job has the whole text: ${about.pipeline.run}`;
  const whole = `\`remit show\` of the saved plan has all of it${where}.`;
  const facts = {
    effect,
    counts: lastLine(report),
    isGood: outlookOf(plan) !== "cannot be applied",
    steps: stepHashes(plan),
  };
  return {
    value: {
      shown: { as: "plan", name, report, linkBase, whole, unreviewed: null },
      about: "plan",
      ...facts,
    },
    diagnostics,
  };
}
