import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import type { Term } from "../../plan/guards/acknowledge.js";
import { NO_OWN_GUARDS, type SettingsInForce } from "../../plan/guards/rules.js";
import { resolveSettings } from "./precedence.js";
import { type ProjectFile, type SettingPath, writtenIn } from "./projectFile.js";
import type { Settings } from "./settings.js";
import { rowOf, SETTING_NAMES, type SettingName } from "./table.js";
import { decide, differencesBetween, endedIn, loosenedIn, termOf } from "./whoDecides.js";

/** A project file and the settings that follow from it, the flags and the environment. */
interface SettingsSource {
  /** Null where there is none, or where it could not be read. */
  readonly file: ProjectFile | null;
  readonly settings: Settings;
}

/** The settings that count in a run. */
export interface Ruling {
  readonly settings: Settings;
  readonly trust: SettingsInForce;
}

/**
 * The settings in force: the working tree's own, or those of the reviewed branch where one is named. Reports what is
 * wrong with the acknowledgements of both; one of the reviewed branch with a fault does not hold.
 */
export function settingsInForce(
  own: SettingsSource,
  reviewed: (SettingsSource & { readonly from: SettingsInForce["from"] }) | null,
  today: string,
): Checked<Ruling> {
  const settings = reviewed === null ? own.settings : decide(reviewed.settings, own.settings, today);
  const differences =
    reviewed === null
      ? []
      : differencesBetween(written(reviewed), written(own), (path) => placeIn(own.file, path));
  const proposal = {
    limits: own.settings.limits.value,
    acknowledgements: own.settings.acknowledgements.value,
    own: [],
  };
  const ended = endedIn(settings, today);
  const trust: SettingsInForce = {
    from: reviewed?.from ?? null,
    differences,
    loosened: loosenedIn(settings, today),
    ...(ended.length === 0 ? {} : { ended }),
    proposal: reviewed === null ? null : proposal,
    own: NO_OWN_GUARDS,
  };
  const term = termOf(settings, today);
  const faults = (source: SettingsSource, as: "error" | "note") =>
    SETTING_NAMES.flatMap((name) => entryFaults(name, source, term, as));
  return {
    value: { settings, trust },
    diagnostics: [...faults(own, "error"), ...(reviewed === null ? [] : faults(reviewed, "note"))],
  };
}

/** What a project file alone says: a flag or a variable does not hide what a change proposes. */
function written({ file }: SettingsSource): Settings {
  return resolveSettings({}, {}, file).settings;
}

function placeIn(file: ProjectFile | null, path: SettingPath) {
  const place = file === null ? null : writtenIn(file, path);
  return place === null ? null : { file: place.span.file, line: place.span.start.line };
}

/** The entries of a setting that do not hold, each at its line; all are notes where `as` says so. */
function entryFaults<N extends SettingName>(
  name: N,
  { file, settings }: SettingsSource,
  term: Term,
  as: "error" | "note",
): readonly Diagnostic[] {
  const { entries } = rowOf(name);
  if (file === null || entries === undefined) return [];
  return entries.faults(settings[name].value, term).map(({ path, severity, ...why }) => ({
    ...why,
    severity: as === "note" ? as : severity,
    ...writtenIn(file, path),
  }));
}
