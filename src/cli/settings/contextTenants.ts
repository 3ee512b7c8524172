import { contextsIn, placesOfContext } from "../../manifest/contexts.js";
import type { Json } from "../../model/json.js";
import { stateIdentity } from "../../state/stores.js";
import { checkServer } from "../../tenant/client/server.js";
import type { ProjectFile } from "./projectFile.js";
import { rowOf, type SettingName, type Settings, type SettingValue } from "./table.js";
import { resolveSettings } from "./whoDecides.js";

/** Which tenant and which state settings name. */
export interface Places {
  readonly server: string | null;
  readonly state: string;
}

/** The tenant of a context, as a project file alone names it. */
export interface ContextTenant extends Places {
  readonly context: string;
  /** The two as they compare, however they are written. */
  readonly is: { readonly server: string | null; readonly state: string };
}

/** The tenants of a project file's contexts, by their names and in their order. */
export type ContextTenants = ReadonlyMap<string, ContextTenant>;

/** Reads server and state of each context, and nothing else of it: a project may have thousands. */
export function tenantsOf(file: ProjectFile | null, root: string): ContextTenants {
  if (file === null) return new Map();
  return new Map(contextsIn(file.value).map((context) => [context, tenantOf(file, root, context)]));
}

function tenantOf(file: ProjectFile, root: string, context: string): ContextTenant {
  const { server, state } = placesOfContext(file.value, context);
  const places: Places = { server: readAs("server", server), state: readAs("state", state) };
  const is = { server: serverOf(places.server), state: stateOf(places, root, context) };
  return { context, ...places, is };
}

/** A value of a setting without the place where it is written: to look for the places of thousands takes long. */
function readAs<N extends SettingName>(name: N, value: Json | undefined): SettingValue<N> {
  const { read, fallback } = rowOf(name);
  return read(value, null) ?? fallback;
}

/**
 * The settings of the project as it was without contexts, where its state may be beside those of the contexts. Null where
 * its state is that of a context, and without contexts.
 */
export function settingsWithout(
  file: ProjectFile | null,
  root: string,
  tenants: ContextTenants,
): Settings | null {
  if (file === null || tenants.size === 0) return null;
  const { settings } = resolveSettings({}, {}, file);
  const own = stateOf({ server: settings.server.value, state: settings.state.value }, root, null);
  return [...tenants.values()].some(({ is }) => is.state === own) ? null : settings;
}

/** An address that is written as it compares: small letters, dots and single hyphens, and no number at the end. */
const PLAIN = /^https:\/\/(?:[a-z\d]+(?:-[a-z\d]+)*\.)+[a-z]+$/;
const NAMES_OF_LOOPBACK = ["localhost", "[::1]"];

/**
 * Which server a setting means, however it is written: by any name of this machine, and with or without the last dot of a
 * host. Null without one, and for an embedded one of its own.
 */
export function serverOf(value: string | null): string | null {
  if (value === null || value === "sandbox") return null;
  if (PLAIN.test(value)) return value;
  const checked = checkServer(value, { plain: true });
  if (!("server" in checked)) return value;
  const url = new URL(checked.server);
  const host = url.hostname.replace(/\.$/, "");
  url.hostname = NAMES_OF_LOOPBACK.includes(host) ? "127.0.0.1" : host;
  return url.href.replace(/\/$/, "");
}

/** Which state settings mean, however it is written. */
export function stateOf({ server, state }: Places, root: string, context: string | null): string {
  return stateIdentity(state, root, { server, context });
}
