import { belongingOf } from "../../manifest/belonging.js";
import type { Contexts } from "../../manifest/contexts.js";
import { readEnvelope } from "../../manifest/envelope.js";
import { parse } from "../../manifest/parse/parse.js";
import { formatAddress } from "../../model/address.js";
import { isObject } from "../../model/json.js";
import { listed } from "../../schema/wording.js";
import type { Accepted } from "./drift.js";

/** Which other contexts have the manifests that are edited, in one sentence; none where no other one has them. */
export function sharedLines(
  { files, objects }: Pick<Accepted, "files" | "objects">,
  { names, current }: Contexts,
): readonly string[] {
  const others = names.filter((name) => name !== current);
  if (others.length === 0) return [];
  const edited = new Set(objects.map(({ address }) => formatAddress(address)));
  const manifests = files.flatMap((file) => manifestsIn(file, edited));
  const sharing = others.filter((name) =>
    manifests.some((one) => belongingOf(one, { names, current: name }, () => undefined) === "here"),
  );
  if (sharing.length === 0) return [];
  const one = sharing.length === 1;
  const whose = `${one ? "the context" : "the contexts"} ${listed(sharing, "and")}`;
  return [`Shared with ${whose}: ${one ? "its next plan shows" : "their next plans show"} this change, too.`];
}

/** The edited manifests of a file, as they were; of a new file, as they will be. */
function manifestsIn({ file, before, after }: Accepted["files"][number], edited: ReadonlySet<string>) {
  const source = { file, text: before ?? after ?? "", named: false };
  return parse(source).value.flatMap(({ value, marks }) => {
    if (!isObject(value)) return [];
    const address = formatAddress({ kind: String(value.kind), name: readEnvelope(value).name });
    return edited.has(address) ? [{ value, written: { source, marks } }] : [];
  });
}
