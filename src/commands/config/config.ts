import { credentialsFrom } from "../../cli/credentials/service.js";
import { codeOf } from "../../cli/exitCode.js";
import { isRemembered } from "../../cli/open/confirmedServers.js";
import { columns } from "../../cli/print/columns.js";
import { printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { openProject, type Project } from "../../cli/settings/project.js";
import { projectName } from "../../cli/settings/projectName.js";
import {
  namerOf,
  rowOf,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  type Settings,
  type SettingValue,
} from "../../cli/settings/table.js";
import type { World } from "../../cli/world/world.js";
import { formatLine, hasErrors } from "../../model/diagnostic.js";
import { isObject, type Json } from "../../model/json.js";
import { MASK } from "../../model/secret.js";
import {
  hasVariable,
  isOpenName,
  isSetVariable,
  type OpenName,
  onlyVariable,
  readVariable,
  VARIABLES,
  type VariableName,
  variablesOf,
} from "../../model/variables.js";
import type { PlanSettings } from "../../plan/guards/settings.js";
import { settingStatements } from "../../report/plan/words/settings.js";
import { besideOf, ofRank } from "../../report/statement.js";
import { jsonText } from "../../report/text/safeJson.js";
import { shownAddress, withoutLogin } from "../../state/stores.js";
import { checkServer } from "../../tenant/client/server.js";
import type { ConfigFlags } from "./usage.js";

/** A setting: its name in remit.yaml, its value, and where it was set. */
interface Row {
  readonly name: string;
  readonly value: Json;
  readonly from: string;
}

/** Prints every setting with its source; of credentials only the names of their variables. */
export default async function config(this: Context, flags: ConfigFlags): Promise<number> {
  const { world } = this;
  const project = await openProject(world, flags);
  printDiagnostics(world, project.diagnostics);
  const named = await projectName(world, project.value);
  const rows = [
    ...settingRows(withName(project.value.settings, named)),
    await credentialsRow(world, project.value),
  ];
  if (flags.format === "json") {
    const entries = rows.map(({ name, value, from }) => [name, { value, from }]);
    const variables = setVariables(world, project.value.contexts.names).map(({ name, value, meaning }) => [
      name,
      { value, meaning },
    ]);
    const { from, differences } = project.value.trust;
    const all = {
      ...Object.fromEntries(entries),
      settingsFrom: from,
      differences,
      variables: Object.fromEntries(variables),
    };
    world.stdout.write(jsonText(all));
  } else {
    const cells = rows
      .flatMap(leaves)
      .map(({ name, value, from }) => [name, show(value), tightenedAt(name, project.value) ?? from]);
    world.stdout.write(columns(cells, world.stdout.columns));
    const said = settingStatements({ settings: differencesOf(project.value), findings: [] });
    for (const { text, objects } of ofRank(said, "before"))
      world.stdout.write(
        `\n${text}:\n${columns(
          objects.map((one) => [one.text, besideOf(one)]),
          world.stdout.columns,
        )}`,
      );
    const set = setVariables(world, project.value.contexts.names).map(({ name, value, meaning }) => [
      name,
      value,
      meaning,
    ]);
    if (set.length > 0)
      world.stdout.write(`\nEnvironment variables that remit reads:\n${columns(set, world.stdout.columns)}`);
  }
  return codeOf(hasErrors(project.diagnostics) ? "invalid settings" : "done");
}

/** The settings with the name of the project that its checkout gives, where no file names it. */
function withName(settings: Settings, name: string | null): Settings {
  const { project } = settings;
  if (name === null) return settings;
  const from = project.value === null ? "the remote of the checkout" : project.from;
  return { ...settings, project: { ...project, value: name, from } };
}

/** Where the working tree's own settings differ from those in force; what they loosen is among the values. */
function differencesOf({ trust: { from, differences } }: Project): PlanSettings {
  return { from, differences, loosened: [] };
}

/** The line of the working tree that tightens a setting; null where the settings in force stand. */
function tightenedAt(name: string, { trust: { differences } }: Project): string | null {
  const found = differences.find(({ setting, effect }) => setting === name && effect === "tightens");
  if (found === undefined) return null;
  return found.place === null ? "the working tree" : formatLine(found.place);
}

function settingRows(settings: Settings): readonly Row[] {
  return SETTING_NAMES.map((name) => settingRow(name, settings));
}

function settingRow<N extends SettingName>(name: N, settings: Settings): Row {
  const { name: shown, printed } = rowOf(name);
  const { value, from } = settings[name] as Setting<SettingValue<N>>;
  return { name: shown ?? name, value: printed === undefined ? (value as Json) : printed(value), from };
}

async function credentialsRow(world: World, project: Project): Promise<Row> {
  const { server } = project.settings;
  const name = "credentials";
  if (server.value === "sandbox") return { name, value: "(secret)", from: "the sandbox" };
  const checked = checkServer(server.value ?? "");
  const isNamed = "server" in checked && (await isRemembered(world, project, checked.server));
  const namedBy = isNamed ? "operator" : namerOf(server);
  const { value, diagnostics } = credentialsFrom(project.env, server.value ?? "", namedBy);
  const isMissing = diagnostics.some(({ code }) => code === "credentials/none");
  return value === null
    ? { name, value: null, from: isMissing ? "none found" : (diagnostics[0]?.message ?? "none found") }
    : { name, value: "(secret)", from: value.from.join(", ") };
}

/** The environment variables that remit reads and that are set; without the values of secrets. */
function setVariables({ env }: World, contexts: readonly string[]) {
  const own = contexts.flatMap((context) =>
    variablesOf(context).flatMap(({ name, as }) => {
      if (!isSetVariable(env, name)) return [];
      const shown = VARIABLES[as].secret ? MASK : withoutLogin(onlyVariable(env, name)[name] ?? "");
      return [{ name, value: shown, meaning: `as \`${as}\`, in the context ${context}` }];
    }),
  );
  const general = (Object.keys(VARIABLES) as readonly VariableName[]).flatMap((name) => {
    if (!hasVariable(env, name)) return [];
    return [{ name, value: isOpenName(name) ? shownOf(env, name) : MASK, meaning: VARIABLES[name].meaning }];
  });
  return [...general, ...own];
}

function shownOf(env: World["env"], name: OpenName): string {
  const value = readVariable(env, name) ?? "";
  return name === "REMIT_STATE" ? shownAddress(value) : withoutLogin(value);
}

/** A row for each value within an object, so that no line is long. */
function leaves({ name, value, from }: Row): readonly Row[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [{ name, value, from }];
  return Object.entries(value).map(([key, each]) => ({ name: `${name}.${key}`, value: each ?? null, from }));
}

function show(value: Json): string {
  if (value === null) return "not set";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.length === 0 ? "none" : value.join(", ");
  return isObject(value) && Object.keys(value).length === 0 ? "none" : JSON.stringify(value);
}
