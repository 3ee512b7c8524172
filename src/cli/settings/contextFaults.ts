import type { Diagnostic } from "../../model/diagnostic.js";
import { variablesOf } from "../../model/variables.js";
import { say } from "../../words/say.js";
import type { ContextTenant, ContextTenants } from "./contextTenants.js";
import { type ProjectFile, writtenIn } from "./projectFile.js";

const NAME = /^[a-z0-9-]{1,40}$/;
/** Names that mean something else: every context, and the folder of the schemas for editors. */
const TAKEN = ["all", "schemas"];

/** What is wrong with the contexts of a project file: with one alone, and with one beside an earlier one. */
export function contextFaults(file: ProjectFile | null, tenants: ContextTenants): readonly Diagnostic[] {
  if (file === null) return [];
  const badNames = [...tenants.keys()].filter((name) => !NAME.test(name) || TAKEN.includes(name));
  if (badNames.length > 0)
    return badNames.map((name) =>
      say(
        TAKEN.includes(name) ? "context/invalid#taken" : "context/invalid#name",
        { name },
        placeOf(file, name),
      ),
    );
  const seen: Seen = { states: new Map(), servers: new Map(), variables: new Map() };
  return [...tenants.values()].flatMap((tenant) => besideOthers(file, tenant, seen));
}

/** Which context was the first to have a state, a server or a variable. */
interface Seen {
  readonly states: Map<string, string>;
  readonly servers: Map<string, string>;
  readonly variables: Map<string, string>;
}

/** A context has the state, the server or a variable of an earlier one; each earlier one is named once. */
function besideOthers(
  file: ProjectFile,
  { context: name, is }: ContextTenant,
  { states, servers, variables }: Seen,
): readonly Diagnostic[] {
  const faults = new Map<string, Diagnostic>();
  const compare = (
    key: `context/invalid#${"state" | "server" | "variable"}`,
    seen: Map<string, string>,
    what: string,
  ): void => {
    const first = firstWith(seen, what, name);
    if (first === name || faults.has(first)) return;
    const span = writtenIn(file, ["contexts", first])?.span;
    const related = span === undefined ? [] : [{ message: `the context ${first} is here`, span }];
    const place = { ...placeOf(file, name), related };
    faults.set(first, say(key, { first, name, what }, place));
  };
  compare("context/invalid#state", states, is.state);
  if (is.server !== null) compare("context/invalid#server", servers, is.server);
  for (const variable of variablesOf(name)) compare("context/invalid#variable", variables, variable.name);
  return [...faults.values()];
}

/** The context that was the first to have something; this one where none before it had. */
function firstWith(seen: Map<string, string>, what: string, name: string): string {
  const first = seen.get(what) ?? name;
  seen.set(what, first);
  return first;
}

function placeOf(file: ProjectFile, name: string) {
  return { ...writtenIn(file, ["contexts", name]) };
}
