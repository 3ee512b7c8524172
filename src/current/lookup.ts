import { FINDERS, type Finder } from "../kinds/named.js";
import { LIST_OF_FULL, referable } from "../kinds/referable.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import { alike, type Candidates, inWords } from "./candidates.js";
import type { Directory } from "./directory.js";
import type { Fetched } from "./fetched.js";

/** What a name leads to: an id, or a diagnostic. */
export type LookUp =
  | { readonly as: "id"; readonly id: string }
  /** The author's mistake: it leads to nothing, or to several. */
  | { readonly as: "fault"; readonly diagnostic: Diagnostic }
  /** It could not be looked up; the manifest may be right. */
  | { readonly as: "unseen"; readonly diagnostic: Diagnostic };

/** Finds the one thing that a `{ name }`, `{ alias }` or `{ slug }` means, exactly; within an app, unless it is one. */
export async function lookUp(
  finder: JsonObject,
  target: Target,
  app: string,
  directory: Directory,
): Promise<LookUp> {
  const by = FINDERS.find((one) => typeof finder[one] === "string") ?? "name";
  const wanted = String(finder[by]);
  const given = target === LIST_OF_FULL && by === "name" ? directory.given(wanted) : undefined;
  if (given !== undefined) return { as: "id", id: given };

  const list = await directory.list(target, app, wanted);
  if (list.as !== "got") {
    const memory = directory.remembered(target, app);
    return memory === null
      ? unseen(wanted, target, whyNot(list, app))
      : recalled(memory.called(by, wanted), wanted, target, whyNot(list, app));
  }
  const matching = list.value.called(by, wanted);
  const [only, ...others] = matching;
  if (only === undefined) return notFound(target, by, wanted, list.value);
  return others.length === 0 ? { as: "id", id: only.id } : ambiguous(target, by, wanted, matching);
}

function whyNot(list: Exclude<Fetched<Candidates>, { as: "got" }>, app: string): string {
  if (list.as !== "absent") return list.why;
  return app === "" ? "the service does not list them" : `no app has the id ${app}`;
}

/** What the state knows stands in for the service only where it leaves no doubt. */
function recalled(matching: Candidates["every"], wanted: string, target: Target, why: string): LookUp {
  const [only, ...others] = matching;
  if (only === undefined) return unseen(wanted, target, `${why}, and the state has no entry with that name`);
  if (others.length === 0) return { as: "id", id: only.id };
  return unseen(wanted, target, `${why}, and the state has several entries: ${inWords(matching)}`);
}

function unseen(wanted: string, target: Target, why: string): LookUp {
  const hint =
    target === LIST_OF_FULL
      ? "Write its id, or name it under `apps:` in remit.yaml."
      : "Write its id, or plan where the service can be asked.";
  const message = `${referable(target).noun.one} ${JSON.stringify(wanted)} could not be looked up: ${why}`;
  return { as: "unseen", diagnostic: { code: "reference/unseen", severity: "warning", message, hint } };
}

function notFound(target: Target, by: Finder, wanted: string, candidates: Candidates): LookUp {
  const { noun, list } = referable(target);
  const message = `no ${noun.one} has the ${by} ${JSON.stringify(wanted)}`;
  const hint = [alike(candidates, by, wanted), list?.leavesOut ?? ""].filter((text) => text !== "").join(" ");
  return { as: "fault", diagnostic: { code: "reference/not-found", severity: "error", message, hint } };
}

function ambiguous(target: Target, by: Finder, wanted: string, matching: Candidates["every"]): LookUp {
  const message = `${matching.length} ${referable(target).noun.many} have the ${by} ${JSON.stringify(wanted)}`;
  const hint = `Write the id of the right one: ${inWords(matching)}.`;
  return { as: "fault", diagnostic: { code: "reference/ambiguous", severity: "error", message, hint } };
}
