import type { SettingsInForce } from "../../entry/settings.js";
import type { Checked, Diagnostic } from "../../entry/values.js";
import { termFaults } from "./acknowledgementTerm.js";
import { ignoreFaults } from "./ignoreFaults.js";
import { type ProjectFile, type SettingPath, writtenIn } from "./projectFile.js";
import type { Settings } from "./settings.js";
import { decide, endedIn, loosenedIn } from "./trust.js";

/** A project file and the settings that follow from it, the flags and the environment. */
export interface SettingsSource {
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
  const { settings, differences } =
    reviewed === null
      ? { settings: own.settings, differences: [] }
      : decide(reviewed.settings, own.settings, (path) => placeIn(own.file, path), today);
  const proposal = {
    limits: own.settings.limits.value,
    acknowledgements: own.settings.acknowledgements.value,
  };
  const ended = endedIn(settings, today);
  const trust: SettingsInForce = {
    from: reviewed?.from ?? null,
    differences,
    loosened: loosenedIn(settings, today),
    ...(ended.length === 0 ? {} : { ended }),
    proposal: reviewed === null ? null : proposal,
  };
  const term = { today, limits: settings.limits.value };
  const faults = (
    { file, settings: { acknowledgements, ignored } }: SettingsSource,
    as: Diagnostic["severity"],
  ) =>
    file === null
      ? []
      : [
          ...termFaults(file, acknowledgements.value, term, as),
          ...ignoreFaults(file, ignored.value, term, as),
        ];
  return {
    value: { settings, trust },
    diagnostics: [...faults(own, "error"), ...(reviewed === null ? [] : faults(reviewed, "note"))],
  };
}

function placeIn(file: ProjectFile | null, path: SettingPath) {
  const place = file === null ? null : writtenIn(file, path);
  return place === null ? null : { file: place.span.file, line: place.span.start.line };
}
