import { belongingOf } from "../../../manifest/belonging.js";
import type { Contexts } from "../../../manifest/contexts.js";
import { readEnvelope } from "../../../manifest/envelope.js";
import { parse } from "../../../manifest/parse/parse.js";
import { formatAddress } from "../../../model/address.js";
import { isObject } from "../../../model/json.js";
import { listed } from "../../../schema/wording.js";
import type { Accepted, AcceptedFile } from "../../../session/accept/accept.js";

/** Which other contexts have the manifests that are edited, in one sentence; none where no other one has them. */
export function sharedLines(
  { files, objects }: Pick<Accepted, "files" | "objects">,
  { names, current }: Contexts,
): readonly string[] {
  const edited = new Set(objects.map(({ address }) => formatAddress(address)));
  const sharing = names.filter(
    (name) => name !== current && files.some((file) => isIn(file, edited, { names, current: name })),
  );
  if (sharing.length === 0) return [];
  const one = sharing.length === 1;
  const whose = `${one ? "the context" : "the contexts"} ${listed(sharing, "and")}`;
  return [`Shared with ${whose}: ${one ? "its next plan shows" : "their next plans show"} this change, too.`];
}

/** Whether one of the edited manifests in a file belongs to a context. */
function isIn({ file, before }: AcceptedFile, edited: ReadonlySet<string>, contexts: Contexts): boolean {
  const source = { file, text: before, named: false };
  return parse(source).value.some(({ value, marks }) => {
    if (!isObject(value)) return false;
    const address = formatAddress({ kind: String(value.kind), name: readEnvelope(value).name });
    return (
      edited.has(address) &&
      belongingOf({ value, written: { source, marks } }, contexts, () => undefined) === "here"
    );
  });
}
