import type { Kind } from "../../kinds/kind.js";
import type { Unmanaged } from "../../plan/unmanaged.js";
import { many } from "../text/layout.js";
import type { PlanReport, UnmanagedReport } from "./report.js";

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

/** Names of apps, and of objects, that a sentence shows. */
const MOST_APPS = 3;
const MOST_NAMES = 10;

/** The heading over all unmanaged objects; null where they were not all looked for. */
export function unmanagedTitle({ unmanaged }: Pick<PlanReport, "unmanaged">): string | null {
  if (unmanaged === null || !unmanaged.isWhole) return null;
  const met = unmanaged.kinds.filter(({ count }) => count > 0).map(({ counted }) => counted);
  if (met.length > 0) return `Not managed: ${met.join(", ")}`;
  const isLess = unmanaged.kinds.some(({ ignored }) => ignored > 0);
  return unmanaged.isRead
    ? `Not managed: nothing ${isLess ? "else " : ""}that the service lists`
    : "Not managed: unknown, because not every list could be read";
}

/** What the lists showed that the plan reads anyway: a sentence for each kind with unmanaged objects. */
export function unmanagedSentences({ unmanaged }: Pick<PlanReport, "unmanaged">): readonly string[] {
  if (unmanaged === null || unmanaged.isWhole) return [];
  return unmanaged.kinds
    .filter(({ count }) => count > 0)
    .map(({ count, counted, within, objects, isSure }) => {
      const [are, have, them] = count === 1 ? ["is", "has", "it"] : ["are", "have", "some of them"];
      const names = listed(objects.map(calledIn), MOST_NAMES);
      return isSure
        ? `${counted} ${are} not managed${scopeOf(within)}. ${names}. --unmanaged shows all.`
        : `${counted} ${have} no manifest${scopeOf(within)}. ${names}. An access profile may manage ${them}: --unmanaged reads each.`;
    });
}

/** How many objects the settings leave out; null where they leave out none. */
export function ignoredSentence({ unmanaged }: Pick<PlanReport, "unmanaged">): string | null {
  const count = (unmanaged?.kinds ?? []).reduce((sum, { ignored }) => sum + ignored, 0);
  if (count === 0) return null;
  return `${many(count, "unmanaged object")} ${count === 1 ? "is" : "are"} left out by ignore: in remit.yaml.`;
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

function scopeOf(within: UnmanagedReport["kinds"][number]["within"]): string {
  if (within === null) return "";
  const { apps, of } = within;
  const count = of === null ? many(apps.length, "app") : `${apps.length} of ${many(of, "app")}`;
  return ` in ${count}: ${listed(apps, MOST_APPS)}`;
}

function listed(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  const rest = names.length - most;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
