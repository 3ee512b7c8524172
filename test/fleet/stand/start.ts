import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleCommand } from "../../fakes/command.js";
import { openApi } from "./api.js";
import { startControlPlane } from "./controlPlane.js";
import { imageFolder, startKubelet } from "./kubelet.js";

/** The command of the working tree, and one whose clock goes a hundred times as fast, so that leases pass. */
export const IMAGES = { remit: "remit:tested", hasty: "remit:hasty" } as const;
const HASTE = 100;

/** Starts a cluster for a run of tests: its images, a control plane, and what runs the pods. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "remit-fleet-"));
  chmodSync(folder, 0o755);
  const hasty = fileURLToPath(new URL("../../fakes/hastyRemit.ts", import.meta.url));
  await makeImage(imageFolder(folder, IMAGES.remit), undefined, "");
  await makeImage(imageFolder(folder, IMAGES.hasty), hasty, `HASTE=${HASTE} `);
  const plane = await startControlPlane(folder);
  const api = openApi(plane.server);
  const kubelet = await startKubelet(api, folder);
  const file = join(folder, "cluster.json");
  const { server, key } = plane;
  writeFileSync(file, JSON.stringify({ server, folder, key }));
  process.env.REMIT_TEST_CLUSTER = file;
  return async () => {
    await kubelet.close();
    api.close();
    await plane.close();
    if (process.env.REMIT_TEST_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  };
}

export async function makeImage(folder: string, entry: string | undefined, variables: string): Promise<void> {
  const command = await bundleCommand(entry);
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  cpSync(dirname(command.file), join(folder, "remit"), { recursive: true });
  cpSync(process.execPath, join(bin, "node"));
  const script = `#!/bin/sh\n${variables}exec /opt/bin/node /opt/remit/remit.js "$@"\n`;
  writeFileSync(join(bin, "remit"), script, { mode: 0o755 });
  command.close();
}
