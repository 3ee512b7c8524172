import type { Desired } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import type { Entry } from "../../state/snapshot.js";
import { deedOf, type Step } from "../step.js";
import { diagnose } from "./diagnose.js";
import type { Situation } from "./situation.js";

type Unplaced = Pick<Step, "address" | "action" | "replaces" | "identity" | "createOnlySpans">;

/** Where the manifest writes fields that only a create can set. */
export function createOnlySpansOf({ resource, identity }: Desired, { shape }: Kind): Step["createOnlySpans"] {
  const written = shape.createOnly.filter((name) => Object.hasOwn(identity, name));
  return Object.fromEntries(written.map((name) => [name, resource.place(["spec", name], "origin").span]));
}

/** What to say of create-only fields whose value in the tenant is not known: remit did not create the object. */
export function unverifiedIn(decision: Unplaced, { seen, entry, kind }: Situation): readonly Diagnostic[] {
  const isThere = seen.as === "present" || (seen.as === "recorded" && seen.fields !== null);
  if (!isThere || deedOf(decision) === "create") return [];
  return Object.entries(decision.createOnlySpans).flatMap(([name, span]) => {
    if (entry?.createOnly?.[name] !== undefined) return [];
    const [before, now] = [entry?.unverified?.[name], decision.identity[name]];
    const isEdited = before !== undefined && !same(before, now);
    const about = { ...decision, span };
    return [
      isEdited
        ? diagnose.createOnlyUnverified(about, name, before, kind)
        : diagnose.createOnlyUnknown(about, name, kind),
    ];
  });
}

/** The create-only fields that the manifest writes with another value than the create of the object sent. */
export function createOnlyEdits(
  { identity }: Pick<Step, "identity">,
  entry: Entry | null,
  { shape }: Kind,
): readonly string[] {
  const sent = entry?.createOnly ?? {};
  return shape.createOnly.filter((name) => {
    const [wanted, before] = [identity[name], sent[name]];
    return wanted !== undefined && before !== undefined && !same(wanted, before);
  });
}
