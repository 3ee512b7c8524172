import { checkServer } from "../../api/server.js";
import { contextsIn } from "../../manifest/contexts.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { variablesOf } from "../../model/variables.js";
import { stateIdentity } from "../../state/address.js";
import { resolveSettings } from "./precedence.js";
import { fileOfContext, type ProjectFile, writtenIn } from "./projectFile.js";
import type { Settings } from "./settings.js";

const NAME = /^[a-z0-9-]{1,40}$/;
/** Names that mean something else: every context, and the folder of the schemas for editors. */
const TAKEN = ["all", "schemas"];

/** What is wrong with the contexts of a project file: with one alone, and with two beside each other. */
export function contextFaults(file: ProjectFile | null, root: string): readonly Diagnostic[] {
  if (file === null) return [];
  const names = contextsIn(file.value);
  const badNames = names.filter((name) => !NAME.test(name) || TAKEN.includes(name));
  if (badNames.length > 0) return badNames.map((name) => faultAt(file, name, ...badName(name)));
  return names.flatMap((name, at) =>
    names.slice(0, at).flatMap((other) => betweenTwo(file, root, other, name).slice(0, 1)),
  );
}

function badName(name: string): readonly [message: string, hint: string] {
  return TAKEN.includes(name)
    ? [`a context cannot be called ${name}`, "Choose another name: remit uses this one itself."]
    : [
        `${JSON.stringify(name)} cannot be the name of a context`,
        "Use a-z, 0-9 and -; 40 characters at most.",
      ];
}

/** The two contexts are one tenant, one state, or have one variable. */
function betweenTwo(file: ProjectFile, root: string, first: string, second: string): readonly Diagnostic[] {
  const fault = (message: string, hint: string): Diagnostic => {
    const span = writtenIn(file, ["contexts", first])?.span;
    const related = span === undefined ? [] : [{ message: `the context ${first} is here`, span }];
    return { ...faultAt(file, second, message, hint), related };
  };
  const [one, other] = [settingsIn(file, first), settingsIn(file, second)];
  const server = serverOf(one);
  const isSameServer = server !== null && server === serverOf(other);
  const isSameState = stateOf(one, root, first) === stateOf(other, root, second);
  const names = new Set(variablesOf(first).map(({ name }) => name));
  const shared = variablesOf(second).find(({ name }) => names.has(name));
  return [
    ...(isSameState
      ? [
          fault(
            `the contexts ${first} and ${second} have one state`,
            "Give each context its own `state`: the objects of one tenant mean nothing in another.",
          ),
        ]
      : []),
    ...(isSameServer
      ? [
          fault(
            `the contexts ${first} and ${second} have one server, ${server}`,
            "Two states of one tenant do not know of each other. Give each context its own `server`.",
          ),
        ]
      : []),
    ...(shared === undefined
      ? []
      : [
          fault(
            `the contexts ${first} and ${second} would both read ${shared.name}`,
            "Rename one of them, so that no credential of one is sent to the other's server.",
          ),
        ]),
  ];
}

/** The settings that a project file alone gives one of its contexts. */
export function settingsIn(file: ProjectFile, context: string): Settings {
  return resolveSettings({}, {}, fileOfContext(file, context)).settings;
}

const NAMES_OF_LOOPBACK = ["localhost", "[::1]"];

/**
 * Which server a setting means, however it is written: by any name of this machine, and with or without the last dot of a
 * host. Null without one, and for an embedded one of its own.
 */
export function serverOf({ server: { value } }: Pick<Settings, "server">): string | null {
  if (value === null || value === "sandbox") return null;
  const checked = checkServer(value, { plain: true });
  if (!("server" in checked)) return value;
  const url = new URL(checked.server);
  const host = url.hostname.replace(/\.$/, "");
  url.hostname = NAMES_OF_LOOPBACK.includes(host) ? "127.0.0.1" : host;
  return url.href.replace(/\/$/, "");
}

/**
 * The settings of the project as it was without contexts, where its state may be beside those of the contexts. Null where
 * its state is that of a context.
 */
export function settingsWithout(file: ProjectFile, root: string): Settings | null {
  const { settings } = resolveSettings({}, {}, file);
  const own = stateOf(settings, root, null);
  const isOfContext = (name: string) => stateOf(settingsIn(file, name), root, name) === own;
  return contextsIn(file.value).some(isOfContext) ? null : settings;
}

/** Which state the settings of a context mean, however it is written. */
export function stateOf(
  settings: Pick<Settings, "server" | "state">,
  root: string,
  context: string | null,
): string {
  return stateIdentity(settings.state.value, root, { server: settings.server.value, context });
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
