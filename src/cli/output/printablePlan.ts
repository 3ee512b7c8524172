import { render } from "../../entry/formats.js";
import { describePlan, hidePeople, kindNamed, type Plan } from "../../entry/reports.js";
import type { NamesPeople } from "./namesPeople.js";
import type { Printable } from "./show.js";

/** Describes a plan once for each kind of reader it is printed for: names of people may be for the terminal alone. */
export function printablePlan(plan: Plan, effect: string, names: NamesPeople, isDecided = true): Printable {
  const whole = once(() => describePlan(plan, effect, kindNamed, isDecided));
  const hidden =
    names === "everywhere" || plan.impact === null
      ? whole
      : once(() => describePlan(hidePeople(plan), effect, kindNamed, isDecided));
  const onTerminal = names === "nowhere" ? hidden : whole;
  return {
    get hasSigns() {
      return onTerminal().steps.length > 0;
    },
    render: (form, options, reader) =>
      render(form, "plan", (reader === "terminal" ? onTerminal : hidden)(), options),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
