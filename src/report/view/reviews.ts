import type { FieldReport, StepReport } from "../plan/report.js";
import { choiceIn } from "../plan/words/choice.js";
import { figureOf, grantsIn } from "./figures.js";

/** What a review asks about, before and after. */
export interface ReviewChange {
  readonly name: string;
  /** What it means for people; empty where that is not known. */
  readonly brief: string;
  /** Its fields with a value on each side; null for none. */
  readonly fields: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** How many entitlements stay. */
  readonly kept: number;
  /** The grants of what is taken and of what is added; null where nothing is. */
  readonly grants: readonly [removed: string, added: string] | null;
}

/** More reviews than this are a list, and each change has its own. */
const MOST = 6;

/** Each review whose scope changes; nothing where they are too many to look at. */
export function reviewsIn(steps: readonly StepReport[]): readonly ReviewChange[] {
  const reviews = steps.filter(({ people, action }) => people?.review != null && action !== "blocked");
  return reviews.length > MOST ? [] : reviews.map(changeOf);
}

function changeOf(step: StepReport): ReviewChange {
  const { address, title, fields, people } = step;
  const entitlements = fields.flatMap(({ path, difference }) =>
    path.startsWith("entitlements") && difference.type === "set" ? [difference] : [],
  );
  const removed = entitlements.flatMap((one) => one.removed);
  const added = entitlements.flatMap((one) => one.added);
  return {
    name: title === "" ? address : title,
    brief: (people?.brief ?? "").replace(/^review: /, ""),
    fields: fields.flatMap(fieldOf),
    removed,
    added,
    kept: entitlements.reduce((sum, one) => sum + (one.kept ?? 0), 0),
    grants:
      removed.length + added.length === 0
        ? null
        : [figureOf("−", grantsIn([step], "removed")), figureOf("+", grantsIn([step], "added"))],
  };
}

/** A field with a value on each side: of a choice, its member and what that holds. */
function fieldOf({ path, difference }: FieldReport): ReviewChange["fields"] {
  if (difference.type !== "value" && difference.type !== "choice") return [];
  const { before, after } = difference;
  const choice = difference.type === "choice" ? choiceIn(difference.sentence) : null;
  if (choice === null) return [{ name: path.replace(/^scope\./, ""), before, after }];
  const held = (member: string, value: string | null) => (value === null ? member : `${member}: ${value}`);
  return [{ name: choice.group, before: held(choice.from, before), after: held(choice.to, after) }];
}
