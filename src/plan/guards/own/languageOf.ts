import { type GuardLanguage, guardLanguage } from "../../../impact/guard/language.js";
import { kinds } from "../../../kinds/index.js";
import type { OwnGuard } from "./ownGuard.js";

const languages = new Map<string, GuardLanguage>();

/** The language of a guard: it knows the fields of the kinds that the guard is about. */
export function languageOf({ on }: Pick<OwnGuard, "on">): GuardLanguage {
  const about = on.as === "plan" ? "plan" : "step";
  const names = on.as === "plan" ? null : on.kinds;
  const chosen = kinds.filter(({ name }) => names?.includes(name) ?? true);
  const key = [about, ...chosen.map(({ name }) => name)].join(" ");
  const language =
    languages.get(key) ??
    guardLanguage(
      about,
      chosen.map(({ shape }) => shape),
    );
  languages.set(key, language);
  return language;
}
