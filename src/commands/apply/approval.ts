import type { PlanForReview } from "../../apply/order.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { NamesPeople } from "../../cli/print/namesPeople.js";
import { printablePlan } from "../../cli/print/printablePlan.js";
import { type OutputFlags, show } from "../../cli/print/show.js";
import type { World } from "../../cli/world/world.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isPending } from "../../plan/calls.js";
import type { Speed } from "../../plan/estimate.js";
import { tame } from "../../report/text/visible.js";
import type { PlanPart } from "../../report/view/sections.js";
import { say } from "../../words/say.js";

/** The flags that decide what is shown, and whether a question is asked. */
interface ReviewFlags extends OutputFlags {
  readonly yes: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** How fast the service was while the plan was made; null where it was not asked. */
  readonly speed: Speed | null;
  /** Where people are named. */
  readonly names: NamesPeople;
  /** What of the plan is not printed yet. */
  readonly part: PlanPart;
  /** Whether it is a saved plan, which was shown before. */
  readonly saved: boolean;
  /** Ends the question once it aborts. */
  readonly interrupt: AbortSignal;
}

/** Shows the plan that will be applied and asks where necessary; gives why it is not applied, nothing where it is. */
export async function reviewBy(
  world: World,
  flags: ReviewFlags,
  candidate: PlanForReview,
): Promise<readonly Diagnostic[]> {
  const tell = (diagnostics: readonly Diagnostic[]) => printDiagnostics(world, diagnostics, flags.verbose);
  const { plan, effect, diagnostics, open, leftOut, intent, foreign, asked } = candidate;
  const { names } = flags;
  tell(diagnostics);
  const isIdle = !plan.steps.some(({ action }) => isPending(action));
  // A program that applies a plan reads only the outcome, and the reports are written at the end.
  const isShown = flags.format === "text" && !flags.json && !flags.saved && !(flags.quiet && flags.yes);
  if (isShown || (isIdle && !flags.json)) {
    const printable = printablePlan(plan, effect, names, { speed: flags.speed });
    tell(await show(world, flags, printable, "output", flags.part));
  }
  if (isIdle || open.length > 0) return NOT_APPLIED;
  if (leftOut.length > 0) tell([...(isShown ? [] : whyBlocked(plan)), ...leftOut]);
  const asks = !flags.saved && !flags.yes;
  if (asks || [...intent, ...foreign, ...asked].length > 0) {
    const isWanted = await ask(world, candidate, flags.interrupt);
    if (isWanted === null) tell([noTerminal]);
    if (isWanted === false) world.stderr.write("Nothing was applied.\n");
    if (isWanted !== true) return isWanted === null ? [noTerminal] : NOT_APPLIED;
  }
  if (isShown) world.stdout.write("\n");
  return [];
}

const MOST = 20;

/** What blocks the steps of a plan that the reader does not see. */
function whyBlocked({ steps }: PlanForReview["plan"]): readonly Diagnostic[] {
  return steps
    .filter(({ action }) => action === "blocked")
    .slice(0, MOST)
    .flatMap(({ diagnostics }) => diagnostics);
}

/** Whether the user wants the plan that was just shown; null without a terminal. */
async function ask(
  { stdin, stderr }: World,
  { intent, foreign, asked }: PlanForReview,
  interrupt: AbortSignal,
): Promise<boolean | null> {
  if (!stdin.isTerminal) return null;
  const names = intent.map(({ setting }) => `  ${tame(setting)}\n`).join("");
  const first =
    names === "" ? "" : `\nThe working tree decides otherwise than the settings in force:\n${names}`;
  const whose = foreign
    .map(({ message }) => `\n${tame(message)}.\nApply only if the state is this project's.\n`)
    .join("");
  const begins = asked
    .map(({ message }) => `\n${tame(message)}.\nApply only if this is the first run with this state.\n`)
    .join("");
  const question = `${first}${whose}${begins}\nApply this plan? Type "yes" to apply: `;
  const answer = await stdin.line(() => stderr.write(question), interrupt);
  return answer.trim() === "yes";
}

const NOT_APPLIED: readonly Diagnostic[] = [say("apply/not-approved#notApplied")];

const noTerminal: Diagnostic = say("apply/not-approved#noTerminal");
