import type { Observed } from "./kind.js";

/**
 * An object as far as people made it: of what a connector makes, the settings alone. Null where it has none, and where the
 * record does not tell what is whose.
 */
export function madeByPeople(
  observed: Observed,
  isConnected = observed.isConnected === true,
): Observed | null {
  if (!isConnected) return observed;
  const settings = settingsOf(observed);
  return settings === null || Object.keys(settings.fields).length === 0 ? null : settings;
}

/** What a connector makes, without the fields that it writes itself; null where the record does not tell. */
export function settingsOf(observed: Observed): Observed | null {
  const { connectorWrites, fields } = observed;
  if (connectorWrites === undefined) return null;
  const own = Object.entries(fields).filter(([name]) => !connectorWrites.includes(name));
  return { ...observed, fields: Object.fromEntries(own) };
}
