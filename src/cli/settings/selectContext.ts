import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import {
  type Environment,
  hasVariable,
  isEmptyVariable,
  onlyVariable,
  readVariable,
} from "../../model/variables.js";
import { publicServer } from "../../plan/server.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { shownAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import { type ContextTenant, type Places, serverOf, stateOf } from "./contextTenants.js";
import type { SettingFlags } from "./flags.js";
import { rowOf } from "./table.js";
import { resolveSettings } from "./whoDecides.js";

/** The names of the contexts in both project files of a run: the working tree's, and the one whose settings are in force. */
export interface ContextNames {
  readonly own: readonly string[];
  readonly inForce: readonly string[];
}

/** The context of a run. */
export interface Selected {
  /** Null for a project without contexts. */
  readonly current: string | null;
  /** Whether the settings in force have it, and the working tree no longer does. */
  readonly isDeparted: boolean;
}

const NONE: Selected = { current: null, isDeparted: false };

/**
 * The context that a run is about: the one that is named, or the only one. Where there are several and none is named, that
 * is an error that lists them.
 */
export function selectContext(
  { own: written, inForce: known }: ContextNames,
  named: string | null,
): Checked<Selected> {
  const refuse = (diagnostic: Diagnostic) => ({ value: NONE, diagnostics: [diagnostic] });
  if (known.length === 0 && written.length > 0) return refuse(say("context/proposed#all", { written }));
  if (known.length === 0) {
    if (named === null) return { value: NONE, diagnostics: [] };
    return refuse(say("context/unknown#none", { named }));
  }
  const [only = "", ...more] = known;
  if (named === null && more.length > 0) return refuse(say("context/none", { known, only }));
  const current = named ?? only;
  if (known.includes(current))
    return { value: { current, isDeparted: !written.includes(current) }, diagnostics: [] };
  if (written.includes(current)) return refuse(say("context/proposed#one", { current }));
  return refuse(
    say("context/unknown#other", { named: current, known }, { hint: didYouMean(current, known) }),
  );
}

/** The context that the operator names; null for none. */
export function contextNamed(env: Environment, { context }: SettingFlags): Checked<string | null> {
  const name = "REMIT_CONTEXT";
  if (context === undefined && isEmptyVariable(env, name)) {
    return { value: null, diagnostics: [say("config/variable#emptyVariables", { name })] };
  }
  return { value: context ?? readVariable(env, name) ?? null, diagnostics: [] };
}

/**
 * Each flag and variable that names another server or state than the context does. A context decides on both, so that no
 * variable of one tenant leads a run of another one there.
 */
export function otherPlaces(
  settings: ContextTenant,
  root: string,
  { flags, env }: { readonly flags: SettingFlags; readonly env: Environment },
): readonly Diagnostic[] {
  const { context, state } = settings;
  const locks = (["TF_HTTP_LOCK_ADDRESS", "TF_HTTP_UNLOCK_ADDRESS"] as const).flatMap((name) => {
    const address = readVariable(env, name);
    if (address === undefined || address === state || address.startsWith(`${state}/`)) return [];
    const message = `${name} is not the lock of the state of the context ${context}, ${shownAddress(state)}`;
    return [{ ...OTHER, message, hint: hintFor(name, "state") }];
  });
  const places = (["server", "state"] as const).flatMap((name) => {
    const { flag, variables = [] } = rowOf(name);
    const given = [
      ...(flag !== undefined && flags[flag] !== undefined ? [`--${flag}`] : []),
      ...variables.flatMap((one) => (hasVariable(env, one.name) ? [one.name] : [])),
    ];
    return given.flatMap((source): readonly Diagnostic[] => {
      const isFlag = source.startsWith("--");
      const alone = isFlag ? {} : onlyVariable(env, source);
      const other = resolveSettings(isFlag ? { [name]: flags[name] } : {}, alone, null).settings;
      const asked = { ...settings, [name]: other[name].value };
      const isEqual =
        name === "server"
          ? serverOf(asked.server) === settings.is.server && isSandbox(asked) === isSandbox(settings)
          : stateOf(asked, root, context) === settings.is.state;
      if (isEqual) return [];
      const shown = name === "server" ? shownServer : shownState;
      const message = `${source} names the ${name} ${shown(asked)}, and the context ${context} has ${shown(settings)}`;
      return [{ ...OTHER, message, hint: hintFor(source, name) }];
    });
  });
  return [...places, ...(/^https?:/i.test(state) ? locks : [])];
}

const OTHER = { code: "context/other-place", severity: "error" } as const;

function hintFor(source: string, name: string): string {
  const act = source.startsWith("--") ? `Leave out ${source}` : `Unset ${source}`;
  return `${act}: with contexts, remit.yaml names the ${name} of each.`;
}

function isSandbox({ server }: Places): boolean {
  return server === "sandbox";
}

function shownServer({ server }: Places): string {
  return server === null ? "none" : publicServer(server);
}

function shownState({ state }: Places): string {
  return shownAddress(state);
}
