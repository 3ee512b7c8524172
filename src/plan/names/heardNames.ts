import type { Client } from "../../api/client.js";
import type { IdInApp } from "../../kinds/listing.js";
import { referable, shownName } from "../../kinds/referable.js";
import { type Call, formatCallPath } from "../../model/call.js";
import type { Json } from "../../model/json.js";
import type { Target } from "../../schema/shape.js";

/** The names in the rows of lists and searches that a plan read for another reason. */
export interface HeardNames {
  /** The client that the plan has to use. */
  readonly client: Client;
  /** What an object is called; empty where no row showed it. */
  readonly name: (of: Target, pointed: IdInApp) => string;
}

/** More rows than a small plan reads are not kept: a large one looks up what it shows. */
const MOST = 1_000;

/** Listens to the pages that a client reads. */
export function hearNames(client: Client, sorts: readonly Target[]): HeardNames {
  const sortsByPath = new Map(sorts.flatMap((of) => pathsOf(of).map((path) => [path, of] as const)));
  const rows = new Map<Target, Json[]>();
  const known = new Map<string, ReadonlyMap<string, string>>();
  let count = 0;

  function hear(of: Target, page: readonly Json[]): void {
    count += page.length;
    if (count > MOST) rows.clear();
    else rows.set(of, [...(rows.get(of) ?? []), ...page]);
    known.clear();
  }

  async function* heard(of: Target, pages: ReturnType<Client["pages"]>): ReturnType<Client["pages"]> {
    for await (const page of pages) {
      hear(of, page);
      yield page;
    }
  }

  /** The names of one app's objects by their ids. */
  function namesIn(of: Target, app: string): ReadonlyMap<string, string> {
    const { list } = referable(of);
    const shown = (rows.get(of) ?? []).flatMap((row) => list?.row(row, app) ?? []);
    return new Map(shown.map((one) => [one.id, shownName(of, one)]));
  }

  return {
    client: {
      ...client,
      pages(call, options) {
        const of = sortsByPath.get(formatCallPath(call));
        const pages = client.pages(call, options);
        return of === undefined ? pages : heard(of, pages);
      },
    },
    name(of, { app, id }) {
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
