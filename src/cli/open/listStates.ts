import { isAbsolute, relative, resolve } from "node:path";
import { readStateAddress, shownAddress } from "../../state/address.js";
import { listFileStates } from "../../state/fileList.js";
import { type Owner, StateError } from "../../state/store.js";
import type { StoredState } from "../../state/stored.js";
import type { Project } from "../settings/project.js";
import { isRunning } from "../world/runMark.js";
import type { World } from "../world/world.js";

/** The states of the repository, the bucket, the database or the folder that the project's state is in. */
export async function listStates(world: World, project: Project): Promise<readonly StoredState[]> {
  const { root, settings } = project;
  const address = readStateAddress(settings.state.value);
  if (address.as === "file") {
    const isDead = ({ host, pid }: Owner) => host === world.process.host && !isRunning(pid);
    const nameOf = (file: string) => {
      const inside = relative(root, file);
      return inside.startsWith("..") || isAbsolute(inside) ? file : inside;
    };
    return listFileStates(resolve(root, address.path), nameOf, { clock: world.clock, isDead });
  }
  if (address.as === "git") {
    const { gitOptions } = await import("./gitStore.js");
    const { listGitStates } = await import("../../state/git/list.js");
    return listGitStates(await gitOptions(world, project, address));
  }
  if (address.as === "s3") {
    const { bucketOptions } = await import("./bucketStore.js");
    const { listS3States } = await import("../../state/s3/s3.js");
    return listS3States(await bucketOptions(world, project, address));
  }
  if (address.as === "postgres") {
    const { databaseOptions } = await import("./databaseStore.js");
    const { listPostgresStates } = await import("../../state/postgres/postgres.js");
    return listPostgresStates(await databaseOptions(world, project, address));
  }
  throw new StateError({
    code: "state/address",
    severity: "error",
    message: `the server of ${shownAddress(settings.state.value)} lists no states`,
    hint: "Its protocol has one address for each state. In GitLab, look under Operate, Terraform states.",
  });
}
