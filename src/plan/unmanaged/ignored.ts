import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { globbed } from "../../model/glob.js";
import { say } from "../../words/say.js";
import { endOf, type Term } from "../guards/acknowledge.js";
import type { UnmanagedKind, UnmanagedObject } from "./unmanaged.js";

/** Unmanaged objects that are not reported until a date. */
export interface Ignored {
  /** A kind, and after a slash a pattern of names or ids. */
  readonly objects: string;
  readonly until: string;
  readonly reason: string;
  readonly span: Span | null;
}

/** Whether an entry is about an object: by its display name, its ids, or the last of them. */
export function isIgnored(
  { objects }: Pick<Ignored, "objects">,
  kind: string,
  object: UnmanagedObject,
): boolean {
  const [of = "", ...rest] = objects.split("/");
  if (of !== kind) return false;
  const pattern = rest.length === 0 ? "*" : rest.join("/");
  const names = [object.name, object.key.join("/"), object.key.at(-1) ?? ""];
  return names.some((name) => name !== "" && globbed(pattern, name));
}

/** Why an entry does not hold; null where it does. */
export function ignoredFault(
  { objects, until }: Pick<Ignored, "objects" | "until">,
  term: Term,
): (Diagnostic & { readonly hint: string }) | null {
  const why = endOf(until, term);
  if (why === null) return null;
  const key = why.code === "guard/expired" ? "ignore/expired" : "ignore/until";
  return say(key, { objects, why: why.message }, { hint: why.hint });
}

/** An entry that no unmanaged object fits. */
export function idleEntry({ objects, span }: Ignored): Diagnostic {
  return say("ignore/unused", { objects }, { span });
}

/** The objects that no entry leaves out, and how many are left out. */
export function withoutIgnored(
  kinds: readonly UnmanagedKind[],
  entries: readonly Ignored[],
): readonly UnmanagedKind[] {
  return kinds.map((one) => {
    const objects = one.objects.filter(
      (object) => !entries.some((entry) => isIgnored(entry, one.kind, object)),
    );
    return { ...one, objects, ignored: one.ignored + one.objects.length - objects.length };
  });
}
