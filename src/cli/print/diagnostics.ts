import type { Diagnostic } from "../../model/diagnostic.js";
import { readVariable } from "../../model/variables.js";
import { toText } from "../../report/forms/terminal/diagnostics.js";
import { ansi, type Paint, plain } from "../../report/text/paint.js";
import { quote } from "../../words/quote.js";
import { codeOf, type EndedAs } from "../exitCode.js";
import type { Output, World } from "../world/world.js";

const ALL_IN_JSON = "`--format json` prints each of them.";

/** Prints diagnostics for the person who started the command. */
export function printDiagnostics(world: World, diagnostics: readonly Diagnostic[], verbose = false): void {
  const shown = forReader(diagnostics, verbose);
  const { stderr } = world;
  const paint = paintFor(world, stderr);
  const page = stderr.isTerminal ? { paint, columns: stderr.columns } : { paint };
  stderr.write(toText(verbose ? shown : inShort(shown), page));
}

/** Prints why a command ends, and gives its exit code. */
export function endWith(world: World, result: EndedAs, diagnostics: readonly Diagnostic[]): number {
  printDiagnostics(world, diagnostics);
  return codeOf(result);
}

/** What a killed run leaves behind: up to 500 of one code have one cause. Each code has the hint for those that are not printed. */
const OF_ONE_CAUSE: ReadonlyMap<string, string> = new Map([
  ["plan/being-changed", ALL_IN_JSON],
  ["plan/not-settled", ALL_IN_JSON],
  ["apply/recovered", ALL_IN_JSON],
  [
    "state/uncertain",
    `${ALL_IN_JSON} Look in the service which of them are there. \`remit state settle\` records one, and \`remit state forget --uncertain 'KIND/PATTERN'\` forgets several at once, and nothing that was applied.`,
  ],
]);
/** So many of them are printed in full. */
const IN_FULL = 10;

/** The same with the first of those that have one cause, and a count of the rest. */
function inShort(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, number>();
  const sort = ({ code, severity }: Diagnostic) => `${severity} ${code}`;
  const first = diagnostics.filter((diagnostic) => {
    const place = (seen.get(sort(diagnostic)) ?? 0) + 1;
    seen.set(sort(diagnostic), place);
    return place <= IN_FULL || !OF_ONE_CAUSE.has(diagnostic.code);
  });
  const rest = [...new Map(first.map((one) => [sort(one), one])).values()].flatMap((one) => {
    const [hint, more] = [OF_ONE_CAUSE.get(one.code), (seen.get(sort(one)) ?? 0) - IN_FULL];
    if (hint === undefined || more <= 0) return [];
    return [quote(one.code, one.severity, `the same for ${more} more`, { hint })];
  });
  return [...first, ...rest];
}

const DETAILS: ReadonlySet<string> = new Set(["manifest/own-output"]);

/** The diagnostics without those that only a reader of details, with `-v`, wants to see. */
export function forReader(diagnostics: readonly Diagnostic[], verbose: boolean): readonly Diagnostic[] {
  return verbose ? diagnostics : diagnostics.filter(({ code }) => !DETAILS.has(code));
}

/** Colours for a terminal, unless the environment says otherwise: https://no-color.org, https://force-color.org. */
export function paintFor({ env }: World, stream: Output): Paint {
  if (readVariable(env, "NO_COLOR") !== undefined) return plain;
  return readVariable(env, "FORCE_COLOR") !== undefined || stream.isTerminal ? ansi : plain;
}
