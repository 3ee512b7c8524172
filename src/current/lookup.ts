import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import { alike, type Candidates, FINDERS, type Finder, inWords } from "./candidates.js";
import type { Directory } from "./directory.js";
import type { Fetched } from "./fetched.js";

/** What a name leads to: an id, or what is to be told about it. */
export type Found =
  | { readonly as: "id"; readonly id: string }
  /** The author's mistake: it leads to nothing, or to several. */
  | { readonly as: "fault"; readonly diagnostic: Diagnostic }
  /** Nobody's mistake: it could not be looked up. */
  | { readonly as: "unseen"; readonly diagnostic: Diagnostic };

const NOUN: Readonly<Record<Target, string>> = {
  app: "app",
  entitlement: "entitlement",
  resourceType: "resource type",
  template: "template",
  user: "user",
  other: "object",
};

/** Finds the one thing that a `{ name }`, `{ alias }` or `{ slug }` means, exactly; within an app, unless it is one. */
export async function lookUp(
  finder: JsonObject,
  target: Target,
  app: string,
  directory: Directory,
): Promise<Found> {
  const by = FINDERS.find((one) => typeof finder[one] === "string") ?? "name";
  const wanted = String(finder[by]);
  const given = target === "app" && by === "name" ? directory.given(wanted) : undefined;
  if (given !== undefined) return { as: "id", id: given };

  const list = await listOf(target, app, directory);
  if (list.as !== "got") {
    const memory = target === "resourceType" ? directory.rememberedTypes(app) : null;
    return memory === null
      ? unseen(wanted, target, whyNot(list, app))
      : recalled(memory.called(by, wanted), wanted, target, whyNot(list, app));
  }
  const matching = list.value.called(by, wanted);
  const [only, ...others] = matching;
  if (only === undefined) return notFound(NOUN[target], by, wanted, list.value);
  return others.length === 0 ? { as: "id", id: only.id } : ambiguous(NOUN[target], by, wanted, matching);
}

function listOf(target: Target, app: string, directory: Directory): Promise<Fetched<Candidates>> {
  if (target === "entitlement") return directory.entitlements(app);
  return target === "resourceType" ? directory.resourceTypes(app) : directory.apps();
}

function whyNot(list: Exclude<Fetched<Candidates>, { as: "got" }>, app: string): string {
  if (list.as !== "absent") return list.why;
  return app === "" ? "there is no list of them" : `there is no app ${app}`;
}

/** What the state knows stands in for the service only where it leaves no doubt. */
function recalled(matching: Candidates["every"], wanted: string, target: Target, why: string): Found {
  const [only, ...others] = matching;
  if (only === undefined) return unseen(wanted, target, `${why}, and the state remembers none of that name`);
  if (others.length === 0) return { as: "id", id: only.id };
  return unseen(wanted, target, `${why}, and the state remembers several: ${inWords(matching)}`);
}

function unseen(wanted: string, target: Target, why: string): Found {
  const hint =
    target === "app"
      ? "Write its id, or name it under `apps:` in remit.yaml."
      : "Write its id, or plan where the service can be asked.";
  const message = `${NOUN[target]} ${JSON.stringify(wanted)} could not be looked up: ${why}`;
  return { as: "unseen", diagnostic: { code: "reference/unseen", severity: "warning", message, hint } };
}

function notFound(noun: string, by: Finder, wanted: string, candidates: Candidates): Found {
  const message = `no ${noun} has the ${by} ${JSON.stringify(wanted)}`;
  const hint = alike(candidates, by, wanted);
  return { as: "fault", diagnostic: { code: "reference/not-found", severity: "error", message, hint } };
}

function ambiguous(noun: string, by: Finder, wanted: string, matching: Candidates["every"]): Found {
  const message = `${matching.length} ${noun}s have the ${by} ${JSON.stringify(wanted)}`;
  const hint = `Write the id of the one that is meant: ${inWords(matching)}.`;
  return { as: "fault", diagnostic: { code: "reference/ambiguous", severity: "error", message, hint } };
}
