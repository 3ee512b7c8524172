import type { Kind } from "../../../kinds/kind.js";
import type { Unmanaged } from "../../../plan/unmanaged/unmanaged.js";
import { type Statement, stated, statement } from "../../statement.js";
import { many } from "../../text/layout.js";
import type { PlanReport, UnmanagedReport } from "../report.js";

/** What is not managed, in a reader's words; null where it was not looked for. */
export function describeUnmanaged(
  found: Unmanaged | null,
  kindOf: (name: string) => Kind | undefined,
): UnmanagedReport | null {
  if (found === null) return null;
  return {
    isWhole: found.isWhole,
    isRead: found.unknown.length === 0,
    kinds: found.kinds.map(({ kind, objects, within, ignored, isSure }) => {
      const noun = kindOf(kind)?.noun ?? { one: kind, many: kind };
      return {
        kind,
        counted: many(objects.length, noun.one, noun.many),
        count: objects.length,
        ignored,
        within,
        isSure,
        objects: objects.map(({ key, name, app, lines }) => ({ key: key.join("/"), name, app, lines })),
      };
    }),
  };
}

/** What is not managed: all of it with what the settings leave out, or what the lists showed that the plan reads anyway. */
export function unmanagedStatements({ unmanaged }: Pick<PlanReport, "unmanaged">): readonly Statement[] {
  if (unmanaged === null) return [];
  const found = unmanaged.isWhole ? [wholeOf(unmanaged)] : besideThePlan(unmanaged);
  const ignored = unmanaged.kinds.reduce((sum, one) => sum + one.ignored, 0);
  if (ignored === 0 || !unmanaged.isWhole) return found;
  return [...found, statement("unmanaged/ignored", { count: ignored }, [], ignored)];
}

function wholeOf(unmanaged: UnmanagedReport): Statement {
  const objects = unmanaged.kinds.flatMap(({ kind, objects: all }) =>
    all.map((one) => stated(`${kind} ${nameOfUnmanaged(one)}`, { aside: one.key, lines: one.lines })),
  );
  const count = unmanaged.kinds.reduce((sum, one) => sum + one.count, 0);
  return statement("unmanaged/all", { what: countedIn(unmanaged) }, objects, count);
}

function countedIn({ kinds, isRead }: UnmanagedReport): string {
  const met = kinds.filter(({ count }) => count > 0).map(({ counted }) => counted);
  if (met.length > 0) return met.join(", ");
  const isLess = kinds.some(({ ignored }) => ignored > 0);
  return isRead
    ? `nothing ${isLess ? "else " : ""}that the service lists`
    : "unknown, because not every list could be read";
}

/** What the lists show that the plan reads anyway, in one line. What another object may manage needs no manifest. */
function besideThePlan({ kinds }: UnmanagedReport): readonly Statement[] {
  const met = kinds.filter(({ count, isSure }) => count > 0 && isSure);
  if (met.length === 0) return [];
  const count = met.reduce((sum, one) => sum + one.count, 0);
  return [statement("unmanaged/seen", { kinds: met.map(({ counted }) => counted) }, [], count)];
}

/** What an unmanaged object is called: its name and its app, or its ids. */
export function nameOfUnmanaged({
  name,
  app,
  key,
}: UnmanagedReport["kinds"][number]["objects"][number]): string {
  const called = name === "" ? key : name;
  return app === null ? called : `${app} › ${called}`;
}
