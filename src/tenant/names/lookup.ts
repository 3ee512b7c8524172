import { FINDER_WORDS, FINDERS, type Finder, type Named } from "../../kinds/named.js";
import { LIST_OF_FULL, referable } from "../../kinds/referable.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Target } from "../../schema/shape.js";
import { say } from "../../words/say.js";
import type { Fetched } from "../fetched.js";
import { alike, type Candidates, inWords } from "./candidates.js";
import type { Directory } from "./directory.js";

/** What a name leads to: an id, or a diagnostic. */
type LookUp =
  | { readonly as: "id"; readonly id: string; readonly warning: Diagnostic | null }
  /** The author's mistake: it leads to nothing, or to several. */
  | { readonly as: "fault"; readonly diagnostic: Diagnostic }
  /** It could not be looked up; the manifest may be right. */
  | { readonly as: "unseen"; readonly diagnostic: Diagnostic };

/** A reference, and what is known of it before it is looked up. */
interface Sought {
  readonly by: Finder;
  readonly wanted: string;
  readonly target: Target;
  /** Empty where objects of that sort belong to no app. */
  readonly app: string;
  /** The id that it meant at the last apply; null where the state remembers none. */
  readonly remembered: string | null;
  /** The name that the manifest asks for, where the reference is to the manifest's own object; else null. */
  readonly asked: string | null;
}

/** The first name in a reference, and what it is. */
export function finderIn(finder: JsonObject): Pick<Sought, "by" | "wanted"> {
  const by = FINDERS.find((one) => typeof finder[one] === "string") ?? "name";
  return { by, wanted: String(finder[by]) };
}

/**
 * Finds the one thing that a `{ name }`, `{ alias }` or `{ slug }` means, exactly; within an app, unless it is one. Of
 * several things it is the one that was meant at the last apply.
 */
export async function lookUp(sought: Sought, directory: Directory): Promise<LookUp> {
  const { by, wanted, target, app, remembered } = sought;
  const given = target === LIST_OF_FULL && by === "name" ? directory.given(wanted) : undefined;
  // Among several of that name, what was meant at the last apply counts, so remit need not know of the others.
  const list = await directory.list({ target, app, by, text: wanted, probable: given ?? remembered });
  if (given !== undefined) return confirmed(wanted, given, list);
  if (list.as !== "got") {
    if (remembered !== null && !directory.isAsked) return found(remembered);
    const memory = directory.remembered(target, app);
    return memory === null
      ? unseen(wanted, target, whyNot(list, app))
      : recalled(memory.called(by, wanted), wanted, target, whyNot(list, app));
  }
  const matching = list.value.called(by, wanted);
  const known = remembered === null ? undefined : list.value.withId(remembered);
  if (known !== undefined && isKnownByMemory(sought, matching, known))
    return found(known.id, stillMeant(sought, matching, known));
  const [only, ...others] = matching;
  if (only === undefined) return notFound(sought, list.value, known);
  return others.length === 0 ? found(only.id) : ambiguous(target, by, wanted, matching);
}

function found(id: string, warning: Diagnostic | null = null): LookUp {
  return { as: "id", id, warning };
}

/**
 * Whether what a reference meant at the last apply decides. It does among several things of that name, and where the
 * manifest itself asked for another name.
 */
function isKnownByMemory(
  { wanted, asked }: Pick<Sought, "wanted" | "asked">,
  matching: readonly Named[],
  known: Named,
): boolean {
  if (asked !== null && (matching.length === 0 || asked !== wanted)) return true;
  return matching.length > 1 && matching.some(({ id }) => id === known.id);
}

/** What to say where others have the name as well; null where none have. */
function stillMeant(
  { target, by, wanted }: Pick<Sought, "target" | "by" | "wanted">,
  matching: readonly Named[],
  known: Named,
): Diagnostic | null {
  const others = matching.filter(({ id }) => id !== known.id);
  if (others.length === 0) return null;
  const { noun } = referable(target);
  const have = others.length === 1 ? `another ${noun.one} has` : `${others.length} other ${noun.many} have`;
  return say("reference/remembered#stillMeant", {
    have,
    finder: FINDER_WORDS[by],
    wanted,
    known: inWords([known]),
    id: known.id,
    others: inWords(others),
  });
}

/** What the project file names, unless the service lists the app and names it differently. */
function confirmed(name: string, id: string, list: Fetched<Candidates>): LookUp {
  if (list.as !== "got") return found(id);
  const listed = list.value.withId(id)?.name ?? "";
  const others = list.value.called("name", name);
  const isUnlisted = listed === "" && others.length === 0;
  if (listed === name || isUnlisted) return found(id);
  const instead = listed === "" ? `lists ${inWords(others)}` : `names that app ${JSON.stringify(listed)}`;
  return { as: "fault", diagnostic: say("reference/contradicted", { name, id, instead }) };
}

function whyNot(list: Exclude<Fetched<Candidates>, { as: "got" }>, app: string): string {
  if (list.as !== "absent") return list.why;
  return app === "" ? "the service does not list them" : `no app has the id ${app}`;
}

/** What the state knows stands in for the service only where it leaves no doubt. */
function recalled(matching: readonly Named[], wanted: string, target: Target, why: string): LookUp {
  const [only, ...others] = matching;
  if (only === undefined) return unseen(wanted, target, `${why}, and the state has no entry with that name`);
  if (others.length === 0) return found(only.id);
  return unseen(wanted, target, `${why}, and the state has several entries: ${inWords(matching)}`);
}

function unseen(wanted: string, target: Target, why: string): LookUp {
  return {
    as: "unseen",
    diagnostic: say(target === LIST_OF_FULL ? "reference/unseen#fullList" : "reference/unseen#list", {
      noun: referable(target).noun.one,
      wanted,
      why,
    }),
  };
}

function notFound(
  { target, by, wanted, remembered }: Sought,
  candidates: Candidates,
  known: Named | undefined,
): LookUp {
  const { noun, list } = referable(target);
  // A search for one name shows nothing that a wrong name could mean instead.
  const isHidden = list?.shows === "one name" && candidates.size === 0;
  const near = known !== undefined ? renamed(by, known) : isHidden ? "" : alike(candidates, by, wanted);
  const isGone = remembered !== null && known === undefined && list?.shows === "every object";
  const lost = isGone ? `At the last apply it was ${remembered}, which the list no longer shows.` : "";
  const hint = [lost, near, list?.leavesOut ?? ""].filter((text) => text !== "").join(" ");
  return {
    as: "fault",
    diagnostic: say(
      "reference/not-found#notFound",
      { noun: noun.one, finder: FINDER_WORDS[by], wanted },
      { hint },
    ),
  };
}

/** What has lost the name that it had at the last apply, and how to write it now. */
function renamed(by: Finder, known: Named): string {
  const now = known[by] ?? "";
  const has =
    now === "" ? `has no ${FINDER_WORDS[by]}` : `has the ${FINDER_WORDS[by]} ${JSON.stringify(now)}`;
  const instead = now === "" ? "Write its id" : "Write that, or its id";
  return `At the last apply it was ${known.id}, which ${has} now. ${instead}.`;
}

function ambiguous(target: Target, by: Finder, wanted: string, matching: readonly Named[]): LookUp {
  return {
    as: "fault",
    diagnostic: say("reference/ambiguous#ambiguous", {
      count: matching.length,
      nouns: referable(target).noun.many,
      finder: FINDER_WORDS[by],
      wanted,
      matching: inWords(matching),
    }),
  };
}
