import { beside, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";
import type { StepReport } from "../report.js";
import { markOf } from "./mark.js";

/** Steps that are told together, because there is nothing more to say of one than of the other. */
export type Crowd = readonly StepReport[];

/** So many that are alike are told one by one. */
const FEW = 3;
/** Of a crowd so many are named. */
const NAMED = 10;

/** Steps in their order; those that only record something stand together where they are many. */
export function crowdsOf(steps: readonly StepReport[]): readonly Crowd[] {
  const crowds = new Map<string, StepReport[]>();
  for (const step of steps) {
    const name = isPlain(step) ? `${step.action} ${step.reason}` : step.address;
    crowds.set(name, [...(crowds.get(name) ?? []), step]);
  }
  return [...crowds.values()].flatMap((crowd) => (crowd.length > FEW ? [crowd] : crowd.map((one) => [one])));
}

/** A crowd: what is done with all of them, why, and the names of the first. */
export function renderCrowd(crowd: Crowd, page: Page): readonly string[] {
  const { columns, paint } = page;
  const [first] = crowd;
  if (first === undefined) return [];
  const rest = crowd.length - NAMED;
  return [
    `${markOf(first.action, page)}${paint("strong", `${crowd.length} resources`)}`,
    ...wrap(paint("frame", `Of each: ${first.reason}`), columns, "  "),
    ...crowd.slice(0, NAMED).flatMap(({ address, place }) => {
      const where = place === null ? "" : paint("frame", tame(`${place.file}:${place.line}`));
      return beside(tame(address), where, columns, "    ", "    ");
    }),
    ...(rest > 0 ? [`    ${paint("frame", `… and ${rest} more`)}`] : []),
  ];
}

function isPlain({ action, fields, givenBack, notes, needs }: StepReport): boolean {
  const isRecord = action === "adopt" || action === "forget";
  return isRecord && fields.length + givenBack.length + notes.length + needs.length === 0;
}
