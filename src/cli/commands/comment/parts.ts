import {
  type InComment,
  lastLine,
  linkBaseOf,
  type Pipeline,
  readOutcome,
  type StepHashes,
  stepHashes,
  verdictOf,
} from "../../../entry/forge.js";
import { describePlan, hidePeople, kindNamed, outlookOf, thaw } from "../../../entry/reports.js";
import { type Checked, type Diagnostic, isObject, parseJson } from "../../../entry/values.js";
import { folderInCheckout, folderOf, nameOf } from "../../forge/nameOf.js";
import { readNamedFile } from "../../outside/namedFile.js";
import type { World } from "../../outside/world.js";

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
export async function readParts(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
): Promise<Checked<readonly CommentPart[] | null>> {
  const parts: CommentPart[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const argument of files) {
    const [, given, file = argument] = /^([^=/\\]+)=(.+)$/s.exec(argument) ?? [];
    const read = await readNamedFile(world, file);
    if (read.text === null) {
      diagnostics.push(unreadable(file, read.why));
      continue;
    }
    const made = partFrom(read.text, { world, file, given: given ?? null, pipeline });
    diagnostics.push(...made.diagnostics);
    if (made.value !== null) parts.push(made.value);
  }
  const names = parts.map(({ shown, about }) => `${about} ${shown.name}`);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) diagnostics.push(sameName(twice));
  return { value: diagnostics.length > 0 ? null : parts, diagnostics };
}

/** A named file, and the pipeline that it is posted from. */
export interface NamedPart {
  readonly world: World;
  readonly file: string;
  readonly given: string | null;
  readonly pipeline: Pipeline;
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

/** What a comment calls a plan, and the address of its manifests. */
export function placeOf({ world, file, given, pipeline }: NamedPart, server: string, commit: string | null) {
  const folder = folderInCheckout(folderOf(world.cwd, file));
  const { change } = pipeline;
  // The line of a manifest is that of the commit that was planned; a merge that was tried has no page.
  const shown = change.as === "pull request" ? change.commit : (commit ?? pipeline.commit);
  const base = shown === null ? null : linkBaseOf(pipeline, shown);
  return {
    name: nameOf(given ?? folder, pipeline.path, server),
    linkBase: base === null ? null : `${base}${folder === "" ? "" : `${folder}/`}`,
  };
}

/** A named file that cannot be read. */
export function unreadable(file: string, why: string): Diagnostic {
  return {
    code: "plan/unreadable",
    severity: "error",
    message: `${file} cannot be read: ${why}`,
    hint: "Save a plan with `remit plan --out plan.json`, and an outcome with `remit apply --report json=outcome.json`.",
  };
}

/** Two files for one project and tenant. */
export function sameName(name: string): Diagnostic {
  return {
    code: "forge/same-name",
    severity: "error",
    message: `two of the files are the ${name}`,
    hint: "Name them: `remit comment eu=plan-eu.json us=plan-us.json`.",
  };
}
