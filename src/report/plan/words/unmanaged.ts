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

/** Names of apps that a sentence shows. */
const MOST_APPS = 3;

/** What is not managed: all of it, or what the lists showed that the plan reads anyway; and what the settings leave out. */
export function unmanagedStatements({ unmanaged }: Pick<PlanReport, "unmanaged">): readonly Statement[] {
  if (unmanaged === null) return [];
  const found = unmanaged.isWhole ? [wholeOf(unmanaged)] : unmanaged.kinds.flatMap(besideThePlan);
  const ignored = unmanaged.kinds.reduce((sum, one) => sum + one.ignored, 0);
  if (ignored === 0) return found;
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

function besideThePlan(one: UnmanagedReport["kinds"][number]): readonly Statement[] {
  const { count, counted, objects: all, isSure } = one;
  if (count === 0) return [];
  const [where, within] = scopeOf(one);
  const values = { counted, count, where, apps: within.map((part) => `${part}; `).join("") };
  const objects = all.map((object) => stated(calledIn(object)));
  return [statement(isSure ? "unmanaged/seen#sure" : "unmanaged/seen#unsure", values, objects, count)];
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

function calledIn({ name, key }: { readonly name: string; readonly key: string }): string {
  return name === "" ? key : name;
}

/** In how many apps the objects are, and the names of the first, and in how many remit looked. */
function scopeOf({
  within,
  objects,
}: UnmanagedReport["kinds"][number]): readonly [where: string, apps: readonly string[]] {
  if (within === null) return ["", []];
  const { apps: looked, of } = within;
  const apps = [...new Map(objects.map(({ key, app }) => [key.split("/")[0], app ?? ""])).values()].sort();
  const rest = apps.length - MOST_APPS;
  const all = of === null ? many(looked.length, "app") : `${looked.length} of ${many(of, "app")}`;
  return [
    ` in ${many(apps.length, "app")}`,
    [
      `${apps.slice(0, MOST_APPS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
      `remit looked at ${all}`,
    ],
  ];
}
