import type { Kind } from "../../kinds/kind.js";
import { manyOf } from "../plan/peopleWords.js";
import type { ShownAction } from "../plan/report.js";
import type { StepOutcome } from "./report.js";
import { whatWasDone } from "./verdict.js";

const WRITES: ReadonlySet<ShownAction> = new Set(["create", "update", "replace"]);

/** When the service does what was written: it runs rules hourly, and a campaign keeps the scope that it was cut with. */
export function takesEffect(
  steps: readonly StepOutcome[],
  kindOf: (name: string) => Kind | undefined,
): readonly string[] {
  const done = steps.filter((step) => step.outcome === "done" && WRITES.has(whatWasDone(step)));
  const count = (concern: Kind["concern"]["as"]) =>
    done.filter(({ address }) => kindOf(address.split("/", 1)[0] ?? "")?.concern.as === concern).length;
  const [rules, scopes] = [count("members"), count("audience")];
  return [
    ...(rules === 0 ? [] : [`${manyOf(rules, "rule")} within an hour (the service runs rules hourly)`]),
    ...(scopes === 0 ? [] : [`${manyOf(scopes, "scope")} from the next campaign on`]),
  ];
}
