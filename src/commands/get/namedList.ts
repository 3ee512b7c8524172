import { kinds } from "../../kinds/index.js";
import type { Named } from "../../kinds/named.js";
import { referable } from "../../kinds/referable.js";
import type { Call } from "../../model/call.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { globbed, isPattern } from "../../model/glob.js";
import type { Target } from "../../schema/shape.js";
import type { Fetched } from "../../tenant/fetched.js";
import { type Candidates, makeCandidates } from "../../tenant/names/candidates.js";
import type { LiveOrigin } from "../../tenant/origin.js";
import type { Reader } from "../../tenant/reader.js";
import { say } from "../../words/say.js";
import { appsOf } from "./chosenApps.js";

/** A sort of object, and what of it: an app, or a pattern of names where the sort belongs to no app; null for all. */
export interface ListChoice {
  readonly of: Target;
  readonly only: string | null;
}

/** One object with an id: what it is called, and where it is. */
export interface NamedRow extends Named {
  /** The app that it is in; null where objects of that sort belong to none. */
  readonly app: { readonly id: string; readonly name: string } | null;
}

/** Every object of a sort that the service lists, by app and name. */
export interface NamedList extends ListChoice {
  readonly rows: readonly NamedRow[];
  /** Whether each list was read to its end. */
  readonly isWhole: boolean;
}

/** Lists the objects of a sort. Null where the choice means nothing, or where nothing could be read. */
export async function listNamed(
  { of, only }: ListChoice,
  origin: LiveOrigin,
): Promise<Checked<NamedList | null>> {
  return referable(of).list?.within === "app" ? listInApps(of, only, origin) : listInTenant(of, only, origin);
}

async function listInTenant(of: Target, only: string | null, { reader }: LiveOrigin) {
  const fetched = await everyOf(of, only, reader);
  if (fetched.as !== "got") return { value: null, diagnostics: [notListed(of, fetched)] };
  const fits = ({ id, name, email = "", emails = [] }: Named) =>
    only === null || [id, name, email, ...emails].some((text) => text !== "" && globbed(only, text));
  const { listed, isWhole } = fetched.value;
  const rows = [...listed.every()].filter(fits).map((one): NamedRow => ({ ...one, app: null }));
  return { value: { of, only, rows, isWhole }, diagnostics: [] };
}

/** What lists show of a sort, and whether each of them was read to its end. */
interface ListedOf {
  readonly listed: Candidates;
  readonly isWhole: boolean;
}

/** Every object of a sort that belongs to no app; of a list that is only searched, those that may be meant. */
async function everyOf(of: Target, only: string | null, reader: Reader): Promise<Fetched<ListedOf>> {
  const { list, noun } = referable(of);
  if (list === null) return { as: "not offered", why: `the service has no list of ${noun.many}` };
  const rows = await namedRows(of, "", only === null ? null : searchFor(of, only), reader);
  if (rows.as !== "got") return rows;
  const listed = rows.value;
  const { one } = list;
  if (one === null) return { as: "got", value: { listed: makeCandidates(listed), isWhole: true } };
  const others = await elsewhere(of, reader);
  const ids = new Set([...listed.map(({ id }) => id), ...others.ids]);
  const read = await Promise.all([...ids].map((id) => reader.one(noun.many, one.call(id))));
  const missed = read.find((reply) => reply.as === "failed" || reply.as === "not offered");
  if (missed !== undefined) return missed;
  const named = read.flatMap((reply) => (reply.as === "got" ? (one.read(reply.value) ?? []) : []));
  return { as: "got", value: { listed: makeCandidates(named), isWhole: others.isWhole } };
}

/** The search for one object by its e-mail address or id, where the whole list is long; null for any other pattern. */
function searchFor(of: Target, only: string): Call | null {
  const { list } = referable(of);
  if (list?.shows !== "one name" || isPattern(only)) return null;
  if (only.includes("@")) return list.call("", only);
  return /^[A-Za-z0-9]{20,}$/.test(only) ? (list.byId?.call([{ app: "", id: only }]) ?? null) : null;
}

/** What the rows of a list show, without the rows: a list of people may be very long. */
async function namedRows(
  of: Target,
  app: string,
  search: Call | null,
  reader: Reader,
): Promise<Fetched<readonly Named[]>> {
  const { list, noun } = referable(of);
  if (list === null) return { as: "not offered", why: `the service has no list of ${noun.many}` };
  const call = search ?? list.whole?.() ?? list.call(app, "");
  const rows = await reader.begin(
    noun.many,
    call,
    (row) => {
      const named = list.row(row, app);
      return named === undefined || list.attributes === null
        ? named
        : { ...named, attributes: list.attributes(row) };
    },
    () => true,
  );
  return rows.as === "got" ? { as: "got", value: rows.value ?? [] } : rows;
}

/** The ids that only the additional lists of a kind show, such as those of the templates that workflows name. */
async function elsewhere(
  of: Target,
  reader: Reader,
): Promise<{ readonly ids: readonly string[]; readonly isWhole: boolean }> {
  const ids: string[] = [];
  let isWhole = true;
  for (const { shape, inventory } of kinds) {
    const field = shape.fields.get(shape.identity[0] ?? "");
    const isOf = field?.type === "string" && field.form.is === "id" && field.form.of === of;
    if (!isOf || shape.identity.length > 1) continue;
    for (const trail of inventory.trails.filter(({ isRequired }) => !isRequired)) {
      const end = await reader.pages(trail.noun, trail.call(""), (rows) => {
        for (const row of rows) ids.push(...trail.keys(row, "").flat());
      });
      isWhole = isWhole && end === "ended";
    }
  }
  return { ids, isWhole };
}

async function listInApps(of: Target, only: string | null, origin: LiveOrigin) {
  const { catalogue, reader } = origin;
  const within = await appsWithin(only === null ? [] : [only], origin);
  if (within.value === null) return { value: null, diagnostics: within.diagnostics };
  const names = await catalogue.every("app", "");
  const diagnostics: Diagnostic[] = [...within.diagnostics];
  const ofApps = await Promise.all(
    within.value.map(async (id): Promise<readonly NamedRow[]> => {
      const rows = await namedRows(of, id, null, reader);
      if (rows.as !== "got") {
        diagnostics.push(notListed(of, rows, id));
        return [];
      }
      const app = { id, name: names?.withId(id)?.name ?? givenName(id, origin) };
      return [...makeCandidates(rows.value).every()].map((one) => ({ ...one, app }));
    }),
  );
  const isWhole = diagnostics.length === 0;
  const rows = ofApps.flat();
  return { value: rows.length === 0 && !isWhole ? null : { of, only, rows, isWhole }, diagnostics };
}

/** The ids of some apps, or of all; where the service has no list of apps, the project file and ids are all there is. */
async function appsWithin(
  texts: readonly string[],
  { catalogue, apps }: LiveOrigin,
): Promise<Checked<readonly string[] | null>> {
  const listed = await catalogue.every("app", "");
  const given = texts.map((text) => (Object.hasOwn(apps, text) ? apps[text] : undefined) ?? text);
  if (listed === null) {
    const ids = texts.length > 0 ? given : [...new Set(Object.values(apps))];
    return ids.length > 0
      ? { value: ids, diagnostics: [] }
      : { value: null, diagnostics: [say("reference/unseen#get")] };
  }
  const chosen = await appsOf(given, catalogue);
  if (chosen.diagnostics.length > 0) return { value: null, diagnostics: chosen.diagnostics };
  return {
    value: [...listed.every()].map(({ id }) => id).filter((id) => chosen.value?.has(id) !== false),
    diagnostics: [],
  };
}

function givenName(id: string, { apps }: LiveOrigin): string {
  return Object.entries(apps).find(([, one]) => one === id)?.[0] ?? "";
}

/** Why a list of a sort is not known: it could not be read, or the service has none. */
export function notListed(
  of: Target,
  fetched: Exclude<Fetched<unknown>, { as: "got" }>,
  app = "",
): Diagnostic {
  if (fetched.as === "failed") return fetched.diagnostic;
  const { noun } = referable(of);
  const why = fetched.as === "not offered" ? `: ${fetched.why}` : "";
  const where = app === "" ? "" : ` of the app ${app}`;
  return say("service/not-offered#notListed", { nouns: noun.many, where, why });
}
