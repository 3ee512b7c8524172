import { kindNamed } from "../../kinds/index.js";
import { once } from "../../model/once.js";
import { measured, type Speed } from "../../plan/estimate.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Planned } from "../../plan/plan.js";
import { writePlan } from "../../plan/saved/effect.js";
import type { Unmanaged } from "../../plan/unmanaged/unmanaged.js";
import { render } from "../../report/forms/table.js";
import { describePlan } from "../../report/plan/describe.js";
import { packPlan } from "../run/savedPlan.js";
import type { NamesPeople } from "./namesPeople.js";
import type { Printable } from "./show.js";

/** How a plan was made, as far as its printed form shows it. */
interface Making {
  /** Whether an apply of it is possible. */
  readonly isDecided?: boolean;
  /** How fast the service was; null where it was not asked. */
  readonly speed?: Speed | null;
  /** The estimate that a saved plan has beside it; null where it has none. */
  readonly estimate?: Planned["estimate"] | null;
  /** What is not managed; null where it was not looked for. */
  readonly unmanaged?: Unmanaged | null;
  /** The exit code of the run; null where it is not known. */
  readonly exitCode?: number | null;
}

/** Describes a plan once for each kind of reader it is printed for: names of people may be for the terminal alone. */
export function printablePlan(
  plan: Planned,
  effect: string,
  names: NamesPeople,
  { isDecided = true, speed = null, estimate = null, unmanaged = null, exitCode = null }: Making,
): Printable {
  const describe = (one: Planned) => describePlan(one, effect, kindNamed, isDecided, unmanaged);
  const shared = names === "everywhere" || plan.impact === null ? plan : hidePeople(plan);
  const timed = (one: Planned) => measured(estimate === null ? one : { ...one, estimate }, speed);
  const whole = once(() => describe(timed(plan)));
  const hidden = shared === plan ? whole : once(() => describe(timed(shared)));
  // A page contains its plan, and the same plan gives the same bytes: no time that was measured.
  const page = speed === null ? hidden : once(() => describe(shared));
  const onTerminal = names === "nowhere" ? hidden : whole;
  const packed = () => packPlan(writePlan(shared).text);
  return {
    exitCode,
    get hasSigns() {
      return onTerminal().steps.length > 0;
    },
    render: (form, options, reader) =>
      form === "html"
        ? render(form, "plan", page(), { ...options, packed })
        : render(form, "plan", (reader === "terminal" ? onTerminal : hidden)(), options),
  };
}
