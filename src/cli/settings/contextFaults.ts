import type { Diagnostic } from "../../model/diagnostic.js";
import { variablesOf } from "../../model/variables.js";
import type { ContextTenant, ContextTenants } from "./contextTenants.js";
import { type ProjectFile, writtenIn } from "./projectFile.js";

const NAME = /^[a-z0-9-]{1,40}$/;
/** Names that mean something else: every context, and the folder of the schemas for editors. */
const TAKEN = ["all", "schemas"];

/** What is wrong with the contexts of a project file: with one alone, and with one beside an earlier one. */
export function contextFaults(file: ProjectFile | null, tenants: ContextTenants): readonly Diagnostic[] {
  if (file === null) return [];
  const badNames = [...tenants.keys()].filter((name) => !NAME.test(name) || TAKEN.includes(name));
  if (badNames.length > 0) return badNames.map((name) => faultAt(file, name, ...badName(name)));
  const seen: Seen = { states: new Map(), servers: new Map(), variables: new Map() };
  return [...tenants.values()].flatMap((tenant) => besideOthers(file, tenant, seen));
}

function badName(name: string): readonly [message: string, hint: string] {
  return TAKEN.includes(name)
    ? [`a context cannot be called ${name}`, "Choose another name: remit uses this one itself."]
    : [
        `${JSON.stringify(name)} cannot be the name of a context`,
        "Use a-z, 0-9 and -; 40 characters at most.",
      ];
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
    first: string,
    say: (contexts: string) => readonly [message: string, hint: string],
  ): void => {
    if (first === name || faults.has(first)) return;
    const span = writtenIn(file, ["contexts", first])?.span;
    const related = span === undefined ? [] : [{ message: `the context ${first} is here`, span }];
    faults.set(first, { ...faultAt(file, name, ...say(`the contexts ${first} and ${name}`)), related });
  };
  compare(firstWith(states, is.state, name), (both) => [
    `${both} have one state`,
    "Give each context its own `state`: the objects of one tenant mean nothing in another.",
  ]);
  if (is.server !== null)
    compare(firstWith(servers, is.server, name), (both) => [
      `${both} have one server, ${is.server}`,
      "Two states of one tenant do not know of each other. Give each context its own `server`.",
    ]);
  for (const variable of variablesOf(name))
    compare(firstWith(variables, variable.name, name), (both) => [
      `${both} would both read ${variable.name}`,
      "Rename one of them, so that no credential of one is sent to the other's server.",
    ]);
  return [...faults.values()];
}

/** The context that was the first to have something; this one where none before it had. */
function firstWith(seen: Map<string, string>, what: string, name: string): string {
  const first = seen.get(what) ?? name;
  seen.set(what, first);
  return first;
}

function faultAt(file: ProjectFile, name: string, message: string, hint: string): Diagnostic {
  return {
    code: "context/invalid",
    severity: "error",
    message,
    ...writtenIn(file, ["contexts", name]),
    hint,
  };
}
