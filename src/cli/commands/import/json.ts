import { safeJson } from "../../../entry/messages.js";
import type { Handover, Imported, Manuscript, TerraformState } from "../../../entry/session.js";
import { formatAddress } from "../../../entry/values.js";
import type { Completeness } from "../state/completeness.js";

/** What an import came to, as a script reads it. With `texts`, each manifest has its text. */
export function importJson(
  { leftOut, gone, incomparable, unknown }: Imported,
  { paths, texts }: { readonly paths: ReadonlyMap<string, readonly Manuscript[]>; readonly texts: boolean },
  completeness: readonly Completeness[],
  terraform: { readonly state: TerraformState; readonly handover: Handover } | null,
): string {
  const content = {
    manifests: [...paths].flatMap(([file, manifests]) =>
      manifests.map((one) => ({
        address: formatAddress(one),
        key: one.key,
        file,
        ...(texts ? { text: one.text } : {}),
      })),
    ),
    leftOut,
    gone: gone.map(({ resource: { address, file }, key, isRecorded }) => ({
      address: formatAddress(address),
      key,
      file,
      recorded: isRecorded,
    })),
    incomparable: incomparable.map(({ resource: { address, file }, why }) => ({
      address: formatAddress(address),
      file,
      why,
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
