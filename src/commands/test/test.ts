import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { testedCode } from "../../cli/exitCode.js";
import { forReader, printDiagnostics } from "../../cli/print/diagnostics.js";
import { printableDiagnostics } from "../../cli/print/printableDiagnostics.js";
import { show } from "../../cli/print/show.js";
import type { Context } from "../../cli/run/context.js";
import { eachContext, type FoundInContext, inContexts } from "../../cli/settings/eachContext.js";
import { manifestPaths, type Project, readingOf } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { runTests, type TestReport } from "../../people/test/test.js";
import { many } from "../../report/text/layout.js";
import { tameLine } from "../../report/text/visible.js";
import { say } from "../../words/say.js";
import type { TestFlags } from "./usage.js";

/** Runs tests of rules in each context, and prints the failures on standard output, in any format. */
export default async function test(
  this: Context,
  flags: TestFlags,
  ...paths: readonly string[]
): Promise<number> {
  const { world } = this;
  const { format, quiet, verbose } = flags;
  const each: ContextTests[] = [];
  for (const project of await eachContext(world, flags, "intent"))
    each.push(await testIn(world, project, paths));
  const told = inContexts(each).filter((one) => !isElsewhere(one, each));
  const [first] = each;
  const ran = first === undefined ? 0 : first.report.tests + first.report.guards;
  const hasNone = ran === 0 && !hasErrors(told);
  const diagnostics = forReader(
    hasNone
      ? [...told, say(paths.length === 0 ? "expectation/none#project" : "expectation/none#paths", { paths })]
      : told,
    verbose,
  );
  const passed = inContexts(each.map(({ name, report }) => ({ name, diagnostics: report.held })));
  const unwritten = await show(
    world,
    flags,
    printableDiagnostics(diagnostics, world, testedCode(diagnostics), passed),
  );
  printDiagnostics(world, unwritten);
  if (format === "text" && !quiet && ran > 0)
    world.stdout.write(
      summaryOf(each, diagnostics)
        .map((line) => `${tameLine(line)}\n`)
        .join(""),
    );
  return testedCode([...diagnostics, ...unwritten]);
}

/** What became of the tests in one context. */
interface ContextTests extends FoundInContext {
  readonly report: TestReport;
}

async function testIn(
  world: World,
  { value: project, diagnostics: ofProject }: Checked<Project>,
  paths: readonly string[],
): Promise<ContextTests> {
  const { settings, root, hasFile, contexts } = project;
  const within = (path: string) => resolve(root, path);
  const chosen = paths.length > 0 ? paths.map((path) => resolve(world.cwd, path)) : null;
  const named = chosen ?? settings.tests.value.map(within);
  // The default folder need not exist.
  const isDefault = chosen === null && settings.tests.from === "default";
  const report = await runTests({
    manifests: {
      project: hasFile ? manifestPaths(world, project, []) : null,
      paths: hasFile ? [] : manifestPaths(world, project, []),
      ...readingOf(project),
      tests: named,
      guards: settings.ownGuards.value.map(within),
    },
    tests: isDefault ? named.filter((path) => existsSync(path)) : named,
    guards: chosen ?? settings.ownGuards.value.map(within),
    evaluate: world.evaluate,
    today: new Date(new Date(world.clock.now()).toISOString().slice(0, 10)),
  });
  return { name: contexts.current, diagnostics: [...ofProject, ...report.diagnostics], report };
}

/** Whether a rule that one context does not have is in another. */
function isElsewhere({ code, span }: Diagnostic, each: readonly ContextTests[]): boolean {
  const isThere = (one: Diagnostic) => one.code === code && JSON.stringify(one.span) === JSON.stringify(span);
  return code === "expectation/no-such-rule" && !each.every(({ diagnostics }) => diagnostics.some(isThere));
}

function summaryOf(each: readonly ContextTests[], diagnostics: readonly Diagnostic[]): readonly string[] {
  const { tests = 0, guards = 0, expectations = 0 } = each[0]?.report ?? {};
  const assumed = [...new Set(each.flatMap(({ report }) => report.assumed))];
  const where = each.length === 1 ? "" : ` in each of ${each.length} contexts`;
  const parts = [
    ...(tests > 0 || guards === 0 ? [many(tests, "test")] : []),
    ...(guards > 0 ? [many(guards, "guard")] : []),
  ];
  const counted = `${many(expectations, "expectation")} in ${parts.join(" and ")}`;
  const resting = assumed.length === 0 ? [] : [`Not documented, and taken as likely: ${assumed.join("; ")}.`];
  if (!hasErrors(diagnostics)) return [...resting, `${counted} hold${where}`];
  const failed = Math.max(...each.map(({ report }) => report.failed));
  return failed === 0 ? resting : [...resting, `${failed} of ${counted} ${failed === 1 ? "fails" : "fail"}`];
}
