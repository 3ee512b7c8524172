import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject, same } from "../../model/json.js";
import type { Desired, Seen } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { ownCreate } from "../record/record.js";
import { deedOf, type Step } from "../step.js";
import type { Situation } from "./situation.js";

type Unplaced = Pick<Step, "address" | "action" | "replaces" | "managed">;

/** Where the manifest writes fields that only a create can set. */
export function createOnlySpansOf(
  { resource, identity }: Desired,
  { shape }: Kind,
): Step["managed"]["createOnlySpans"] {
  const written = shape.createOnly.filter((name) => Object.hasOwn(identity, name));
  return Object.fromEntries(written.map((name) => [name, resource.place(["spec", name], "origin").span]));
}

/** What to say of create-only fields whose value in the tenant is not known: remit did not create the object. */
export function unverifiedIn(decision: Unplaced, situation: Situation): readonly Diagnostic[] {
  const { seen, entry, kind } = situation;
  const sent = sentWith(decision, situation);
  const isThere = seen.as === "present" || (seen.as === "recorded" && seen.fields !== null);
  if (!isThere || deedOf(decision) === "create") return [];
  return Object.entries(decision.managed.createOnlySpans).flatMap(([name, span]) => {
    if (sent[name] !== undefined || shownOf(seen)[name] !== undefined) return [];
    const [before, now] = [entry?.unverified?.[name], decision.managed.identity[name]];
    const isEdited = before !== undefined && !same(before, now);
    const values = { field: name, written: written(now), noun: kind.noun.one };
    return isEdited
      ? say("plan/create-only-unverified", { ...values, before: written(before) }, { span })
      : say("plan/create-only-unknown", values, { span });
  });
}

/** A create-only field of a manifest, and the other value that the object was created with. */
interface CreateOnlyEdit {
  readonly name: string;
  readonly before: Json;
}

/** The create-only fields that the manifest writes otherwise than the service shows them, or the create sent them. */
export function createOnlyEdits(
  decision: Pick<Step, "managed">,
  situation: Pick<Situation, "seen" | "entry" | "uncertain" | "kind">,
): readonly CreateOnlyEdit[] {
  const { identity } = decision.managed;
  const made = { ...shownOf(situation.seen), ...sentWith(decision, situation) };
  return situation.kind.shape.createOnly.flatMap((name) => {
    const [wanted, before] = [identity[name], made[name]];
    return wanted === undefined || before === undefined || same(wanted, before) ? [] : [{ name, before }];
  });
}

/** What to say of such an edit, and what a replacement of the object takes with it. */
export function sayEdited(
  { name, before }: CreateOnlyEdit,
  { managed: { identity }, key }: Pick<Step, "managed" | "key">,
  { resource }: Pick<Desired, "resource">,
  { noun, shape, holdsOthers }: Kind,
): Diagnostic {
  const values = {
    noun: noun.one,
    field: name,
    was: written(before),
    now: written(identity[name]),
    id: shape.identity.at(-1) ?? "",
    key: key?.join("/") ?? "the old one",
    under: holdsOthers ? " and everything that the service keeps under it" : "",
  };
  return say("plan/create-only-edited", values, { span: resource.place(["spec", name]).span });
}

/** A value as a manifest writes it on one line. */
const written = (value: Json | undefined): string =>
  Array.isArray(value)
    ? `[${value.map(String).join(", ")}]`
    : isObject(value)
      ? JSON.stringify(value)
      : String(value);

/** The create-only fields as a create of remit sent them. */
function sentWith(
  decision: Pick<Step, "managed">,
  situation: Pick<Situation, "entry" | "uncertain" | "kind">,
): JsonObject {
  return situation.entry?.createOnly ?? ownCreate(situation, decision)?.createOnly ?? {};
}

function shownOf(seen: Seen): JsonObject {
  return seen.as === "present" ? (seen.madeWith ?? {}) : {};
}
