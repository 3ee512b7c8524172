import { groupBy } from "../../../model/groupBy.js";
import type { StepReport } from "../../plan/report.js";
import { labelOf, placeOf } from "../../plan/words/labels.js";
import { wrap } from "../../text/layout.js";
import { tame } from "../../text/tame.js";
import { renderBelow } from "./below.js";
import { besidePlace, type PlanPage } from "./edge.js";
import { markOf } from "./mark.js";

/** Steps that are shown together, because they differ only in their addresses. */
type Crowd = readonly StepReport[];

/** Up to this many steps that are alike are shown one by one. */
const FEW = 3;
/** The most addresses that a crowd lists. */
const NAMED = 10;

/** Steps in their order; many steps that only record something form one crowd. */
export function crowdsOf(steps: readonly StepReport[]): readonly Crowd[] {
  const crowds = groupBy(steps, (step) => (isPlain(step) ? `${labelOf(step)} ${step.reason}` : step.address));
  return [...crowds.values()].flatMap((crowd) => (crowd.length > FEW ? [crowd] : crowd.map((one) => [one])));
}

/** A crowd: what remit does with all of them, why, and the first addresses; of objects that only match, one line. */
export function renderCrowd(crowd: Crowd, page: PlanPage): readonly string[] {
  const { columns, paint } = page;
  const [first] = crowd;
  if (first === undefined) return [];
  if (labelOf(first) === "adopt") {
    const what = `${crowd.length} objects match and are not recorded yet`;
    return [
      ...wrap(
        `${markOf(first, page)}${paint("strong", what)}; apply records them without a write`,
        columns,
        "",
        "  ",
      ),
      ...notesOf(crowd, page),
    ];
  }
  const rest = crowd.length - NAMED;
  return [
    `${markOf(first, page)}${paint("strong", `${crowd.length} resources`)}`,
    ...wrap(paint(first.staysActive ? "warning" : "frame", tame(first.reason)), columns, "  "),
    ...crowd.slice(0, NAMED).flatMap((step) => besidePlace(tame(step.address), placeOf(step), page, "    ")),
    ...(rest > 0 ? [`    ${paint("frame", `… and ${rest} more`)}`] : []),
  ];
}

/** A note, and how many steps have one of its code. */
interface Noted {
  readonly first: StepReport;
  readonly note: StepReport["diagnostics"][number];
  count: number;
}

/** What the notes of a crowd say: one of each code, with how many objects have it. */
function notesOf(crowd: Crowd, page: PlanPage): readonly string[] {
  const byCode = new Map<string, Noted>();
  for (const step of crowd) {
    for (const note of step.diagnostics) {
      const known = byCode.get(note.code);
      if (known === undefined) byCode.set(note.code, { first: step, note, count: 1 });
      else known.count += 1;
    }
  }
  return [...byCode.values()].flatMap(({ first, note, count }) => {
    const rest = count - 1;
    const others = rest === 0 ? "" : ` and ${rest} ${rest === 1 ? "other" : "others"}`;
    return renderBelow({ ...note, message: `${first.address}${others}: ${note.message}` }, page);
  });
}

function isPlain(step: StepReport): boolean {
  const { action, renamedFrom, fields, givenBack, restore, kept, diagnostics: told, needs } = step;
  // A note asks for nothing, so a crowd of objects that only match says it once.
  const diagnostics = action === "adopt" ? told.filter(({ severity }) => severity !== "note") : told;
  const isRecord =
    (action === "adopt" && renamedFrom === null) || action === "forget" || action === "removed";
  const said = [fields, givenBack, restore, kept, diagnostics, needs];
  return isRecord && said.every((list) => list.length === 0);
}
