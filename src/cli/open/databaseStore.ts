import packageFile from "../../../package.json" with { type: "json" };
import { isLoopback } from "../../model/loopback.js";
import { Secret } from "../../model/secret.js";
import { readVariable } from "../../model/variables.js";
import type { PostgresAddress } from "../../state/postgres/address.js";
import type { PostgresStoreOptions } from "../../state/postgres/postgres.js";
import { StateError } from "../../state/store.js";
import { say } from "../../words/say.js";
import { giveStore, mayHave, stateServer } from "../credentials/state.js";
import type { Project } from "../settings/project.js";
import { projectName } from "../settings/projectName.js";
import type { World } from "../world/world.js";

/**
 * What a database is opened with: the user and the password of the address in REMIT_STATE, or of PostgreSQL's own variables.
 * Throws a `StateError` where no user is named, and where the server must not have the password. A server can ask for
 * the password itself in place of a proof, so the connection is encrypted and the certificate checked, or it stays on this
 * machine.
 */
export async function databaseOptions(
  world: World,
  project: Project,
  at: PostgresAddress,
): Promise<PostgresStoreOptions> {
  const { env, clock } = world;
  const { settings } = project;
  if (at.password !== null && settings.state.from !== "REMIT_STATE")
    throw new StateError(say("state/address#isShown", { from: settings.state.from }));
  const user = at.user ?? readVariable(env, "PGUSER");
  if (user === undefined) throw new StateError(say("state/address#namesNoUser", { shown: at.shown }));
  const isHere = at.host.startsWith("/") || isLoopback(at.host);
  const to = stateServer(settings, at.shown, !at.isEncrypted && !isHere);
  if (at.password !== null) mayHave("the password of REMIT_STATE", to);
  const password = at.password === null ? giveStore(env, "PGPASSWORD", to) : new Secret(at.password);
  return {
    at,
    credentials: { user, password },
    version: packageFile.version,
    clock,
    requestTimeout: settings.requestTimeout.value,
    project: at.state === null ? await projectName(world, project) : null,
  };
}
