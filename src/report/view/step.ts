import { type Diagnostic, formatLine } from "../../model/diagnostic.js";
import { sentencesOf } from "../plan/people.js";
import type { Difference, FieldReport, RemarkReport, StepReport } from "../plan/report.js";
import { type Label, labelOf, nameOf, plainRemark, remarksAt } from "../plan/words/labels.js";
import { causeOf } from "../plan/words/reasons.js";

/** The members of a step that every form shows as the plan reports them. */
type Shown = Pick<
  StepReport,
  "action" | "address" | "title" | "reason" | "staysActive" | "isDrift" | "place" | "needs" | "calls"
>;

/** A step for a reader. */
export interface StepView extends Shown {
  readonly label: Label;
  /** Its address, and after a rename the one before it. */
  readonly name: string;
  /** What stands with its place. */
  readonly beside: readonly RemarkReport[];
  readonly fields: readonly FieldView[];
  /** The fields that only the tenant changed, where others are edited; they follow below a title. */
  readonly drifted: { readonly title: string; readonly fields: readonly FieldView[] };
  /** What it means for people in a narrow column; null where that was not counted. */
  readonly people: string | null;
  /** What stands below its fields, in the order of reading. */
  readonly below: readonly Below[];
}

/** A changed field for a reader. */
export interface FieldView {
  readonly path: string;
  readonly difference: Difference;
  /** Who changed it; empty where remit cannot tell. */
  readonly cause: string;
  /** `line 12`, with the file where that is not the manifest's: `groups.yaml:12`; empty where no manifest writes it. */
  readonly line: string;
  /** Whether an apply puts it back: only the tenant changed it. */
  readonly isPutBack: boolean;
  /** Whether it is listed only because the whole object appears or goes. */
  readonly isOfWhole: boolean;
}

/** What stands below the fields of a step. */
export type Below =
  | { readonly as: "names"; readonly text: string; readonly names: readonly string[] }
  | { readonly as: "lines"; readonly remark: RemarkReport; readonly plain: string }
  | { readonly as: "people"; readonly sentences: readonly string[] }
  | { readonly as: "diagnostic"; readonly diagnostic: Diagnostic };

/** How the two sides of a field are called that an apply puts back. */
export const PUT_BACK = { before: "in the tenant now", after: "an apply puts back" } as const;

/** A step as every form shows it. */
export function stepView(step: StepReport): StepView {
  const isAside = ({ cause, edit }: FieldReport) => !step.isDrift && cause === "drifted" && edit === null;
  const then = step.action === "delete" ? "remit deletes it as it is now" : "remit reverts";
  const fieldOf = fieldViews(step);
  return {
    ...step,
    label: labelOf(step),
    name: nameOf(step),
    beside: remarksAt("place", step),
    fields: step.fields.filter((field) => !isAside(field)).map(fieldOf),
    drifted: {
      title: `changed in the tenant since the last apply; ${then}:`,
      fields: step.fields.filter(isAside).map(fieldOf),
    },
    people: step.people?.brief ?? null,
    below: belowOf(step),
  };
}

function fieldViews(step: StepReport): (field: FieldReport) => FieldView {
  const { action, replaces } = step;
  const isWhole = action === "create" || replaces?.by === "create" || action === "delete";
  const isUpdate = labelOf(step) === "update";
  return (field) => {
    const { path, difference, cause, edit, line, file } = field;
    return {
      path,
      difference,
      cause: causeOf(field),
      line: line === null ? "" : file === null ? `line ${line}` : formatLine({ file, line }),
      isPutBack: isUpdate && cause === "drifted" && edit === null,
      isOfWhole: isWhole && cause !== "drifted",
    };
  };
}

function belowOf(step: StepReport): readonly Below[] {
  const { givenBack, kept, people, diagnostics } = step;
  const named = (text: string, names: readonly string[]): readonly Below[] =>
    names.length === 0 ? [] : [{ as: "names", text, names }];
  return [
    ...named("no longer managed, stays as it is in the tenant:", givenBack),
    ...remarksAt("below", step).map((remark): Below => ({ as: "lines", remark, plain: plainRemark(remark) })),
    ...(people === null ? [] : [{ as: "people", sentences: sentencesOf(people) } as const]),
    ...named("kept as it is, unknown to remit:", kept),
    ...diagnostics.map((diagnostic): Below => ({ as: "diagnostic", diagnostic })),
  ];
}

/** All changed fields of a step. */
export function fieldsOf({ fields, drifted }: StepView): readonly FieldView[] {
  return [...fields, ...drifted.fields];
}

/** Where its manifest stands, or stood; empty where neither is known. */
export function placeOf({ place, beside }: Pick<StepView, "place" | "beside">): string {
  return place === null ? beside.map(plainRemark).join(", ") : formatLine(place);
}

/** The sentences of what a step means for people; none where that was not counted. */
export function peopleOf({ below }: StepView): readonly string[] {
  return below.flatMap((one) => (one.as === "people" ? one.sentences : []));
}

/** A field before and after, each as one text; null where it has no value. A set is its items, and how many stay. */
export function sidesOf(difference: Difference): readonly [before: string | null, after: string | null] {
  switch (difference.type) {
    case "value":
    case "choice":
      return [difference.before, difference.after];
    case "text": {
      const without = (side: "removed" | "added") =>
        difference.words.flatMap(({ as, text }) => (as === side ? [] : text)).join("");
      return [without("added"), without("removed")];
    }
    case "set": {
      const { added, removed, kept } = difference;
      const side = (items: readonly string[]) =>
        [...items, ...((kept ?? 0) === 0 ? [] : [`${kept} more`])].join(", ") || null;
      return [side(removed), side(added)];
    }
    default:
      return difference satisfies never;
  }
}
