import type { IdInApp } from "../../kinds/listing.js";
import { referable, shownName } from "../../kinds/referable.js";
import { type Call, formatCallPath } from "../../model/call.js";
import type { Target } from "../../schema/shape.js";
import type { SentRows } from "../pageChain.js";

/** The sorts that are named, the most telling first. People are never named: a plan may be published. */
export const NAMED_SORTS = [
  "app",
  "entitlement",
  "template",
  "riskLevel",
  "complianceFramework",
  "accessProfile",
] as const satisfies readonly Target[];

/** The names in the rows of lists and searches that were read for another reason. */
export interface HeardNames {
  readonly hear: (call: Call, rows: SentRows) => void;
  /** What an object is called; empty where no row showed it. */
  readonly nameOf: (of: Target, pointed: IdInApp) => string;
}

/** More rows than a small plan reads are not kept: a large one looks up what it shows. */
const MOST = 1_000;

/** Listens to the pages of lists. */
export function hearNames(): HeardNames {
  const sorts = new Map(NAMED_SORTS.flatMap((of) => pathsOf(of).map((path) => [path, of] as const)));
  const heard = new Map<Target, SentRows[]>();
  const known = new Map<string, ReadonlyMap<string, string>>();
  let count = 0;

  /** The names of one app's objects by their ids. */
  function namesIn(of: Target, app: string): ReadonlyMap<string, string> {
    const { list } = referable(of);
    const shown = (heard.get(of) ?? []).flat().flatMap((row) => list?.row(row, app) ?? []);
    return new Map(shown.map((one) => [one.id, shownName(of, one)]));
  }

  return {
    hear(call, rows) {
      const of = sorts.get(formatCallPath(call));
      if (of === undefined) return;
      count += rows.length;
      if (count > MOST) heard.clear();
      else heard.set(of, [...(heard.get(of) ?? []), rows]);
      known.clear();
    },
    nameOf(of, { app, id }) {
      const place = `${of}:${app}`;
      const names = known.get(place) ?? namesIn(of, app);
      known.set(place, names);
      return names.get(id) ?? "";
    },
  };
}

/** The lists and searches of the whole tenant that show objects of a sort. */
function pathsOf(of: Target): readonly string[] {
  const { list } = referable(of);
  if (list === null || list.shows !== "every object") return [];
  const calls: readonly Call[] = [
    ...(list.within === "tenant" ? [list.call("", "")] : []),
    ...(list.byId === null ? [] : [list.byId.call([])]),
  ];
  return calls.map(formatCallPath);
}
