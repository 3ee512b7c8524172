import {
  type Acknowledgement,
  endOf,
  type Ignored,
  ignoredFault,
  type SettingsInForce,
} from "../../entry/settings.js";
import type { Checked, Diagnostic } from "../../entry/values.js";
import { type ProjectFile, type SettingPath, writtenIn } from "./projectFile.js";
import type { Settings } from "./settings.js";
import { decide, endedIn, loosenedIn } from "./whoDecides.js";

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

/** The acknowledgements of a project file whose last day is not a day, or is too far away; each at its line. */
function termFaults(
  file: ProjectFile,
  acknowledgements: readonly Acknowledgement[],
  term: Parameters<typeof endOf>[1],
  severity: Diagnostic["severity"],
): readonly Diagnostic[] {
  return acknowledgements.flatMap((one, place): readonly Diagnostic[] => {
    const why = one.by === "project" ? endOf(one.until, term) : null;
    // One that has expired is reported where a plan still needs it.
    if (why === null || why.code === "guard/expired") return [];
    const where = writtenIn(file, ["acknowledge", place, "until"]) ?? {};
    const message = `the acknowledgement of ${one.guard} ${why.message}`;
    return [{ code: why.code, severity, message, hint: why.hint, ...where }];
  });
}

/** The entries under `ignore:` that do not hold, each at its line. One that has expired is a warning. */
function ignoreFaults(
  file: ProjectFile,
  entries: readonly Ignored[],
  term: Parameters<typeof ignoredFault>[1],
  severity: Diagnostic["severity"],
): readonly Diagnostic[] {
  return entries.flatMap((one, place): readonly Diagnostic[] => {
    const why = ignoredFault(one, term);
    if (why === null) return [];
    const where = writtenIn(file, ["ignore", place, "until"]) ?? {};
    const isOver = why.code === "ignore/expired";
    return [{ ...why, severity: isOver && severity === "error" ? "warning" : severity, ...where }];
  });
}
