import { join } from "node:path";
import { safeJson } from "../../../entry/messages.js";
import type { Handover, Imported, TerraformState } from "../../../entry/session.js";
import { formatAddress } from "../../../entry/values.js";
import type { Completeness } from "../state/completeness.js";
import type { Placement } from "./placement.js";
import { shownFrom } from "./writing.js";

/** What an import came to, as a script reads it. With `texts`, each manifest has its text. */
export function importJson(
  { manifests, leftOut, gone, unknown }: Imported,
  {
    root,
    placement,
    texts,
  }: { readonly root: string; readonly placement: Placement; readonly texts: boolean },
  completeness: readonly Completeness[],
  terraform: { readonly state: TerraformState; readonly handover: Handover } | null,
): string {
  const content = {
    manifests: manifests.map((one) => ({
      address: formatAddress(one),
      key: one.key,
      file: shownFrom(root, join(placement.folder, placement.file(one.kind, one.name))),
      ...(texts ? { text: one.text } : {}),
    })),
    leftOut,
    gone: gone.map(({ resource: { address, file }, key, isRecorded }) => ({
      address: formatAddress(address),
      key,
      file,
      recorded: isRecorded,
    })),
    unknown,
    completeness,
    terraform:
      terraform === null
        ? null
        : {
            removed: terraform.handover.blocks,
            commands: terraform.handover.commands,
            skipped: terraform.state.skipped.map(({ address, why }) => ({ address, why })),
            others: terraform.state.others,
          },
  };
  return safeJson(`${JSON.stringify(content, null, 2)}\n`);
}
