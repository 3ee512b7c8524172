import type { Seen } from "../../current/known.js";
import { inNames } from "../../current/names/unclear.js";
import type { Unit } from "../../diff/own.js";
import { ofItsParent } from "../../kinds/alike.js";
import type { Interface } from "../../kinds/interface.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { referable } from "../../kinds/referable.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Json, JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import { say } from "../../words/say.js";
import { UNPROTECTED } from "../record/hiddenRelease.js";
import type { Step } from "../step.js";
import { aboutUncertain, afterUncertain } from "./uncertain.js";

type Present = Extract<Seen, { readonly as: "present" }>;

interface About {
  readonly address: Address;
  readonly span: Span | null;
}

/** Names the object that a manifest belongs to and that the service does not have, by its id. */
export function missingParent(identity: JsonObject, { shape }: Kind): string {
  const name = shape.identity.at(-1) ?? "";
  const field = shape.fields.get(name);
  const noun =
    field?.type === "string" && field.form.is === "id" ? referable(field.form.of).noun.one : "object";
  return `no ${noun} has the id ${String(identity[name])}`;
}

/** The diagnostics of a step beyond its reason, each with a next step. */
export const diagnose = {
  uncertain: (about: About, uncertain: Uncertain): Diagnostic =>
    say(
      "plan/uncertain#step",
      {
        uncertain: aboutUncertain(uncertain),
        why: uncertain.why,
        next: afterUncertain({ address: about.address, key: uncertain.key }),
      },
      { span: about.span },
    ),
  foundAgain: (about: About, create: Uncertain): Diagnostic =>
    say("plan/found-again", { create: aboutUncertain(create) }, { span: about.span }),
  renamedUncertain: (about: About, create: Uncertain): Diagnostic =>
    say(
      "plan/uncertain#renamed",
      {
        address: create.address,
        create: aboutUncertain(create),
        name: create.address.name,
        next: afterUncertain(create),
      },
      { span: about.span },
    ),
  trouble: (about: About, message: string): Diagnostic =>
    say("plan/run-failed", { trouble: message }, { span: about.span }),
  wider: (about: About, paths: readonly string[]): Diagnostic =>
    say("plan/wider", { paths }, { span: about.span }),
  unprotected: (about: About): Diagnostic => say(UNPROTECTED, {}, { span: about.span }),
  managed: (about: About, by: string): Diagnostic =>
    say("plan/managed-elsewhere", { by }, { span: about.span }),
  managedOtherwise: (about: About, by: string, fields: readonly string[]): Diagnostic =>
    say("plan/managed-otherwise", { by, fields }, { span: about.span }),
  gone: (about: About): Diagnostic =>
    say(
      about.span === null ? "plan/gone#record" : "plan/gone#manifest",
      { address: about.address },
      { span: about.span },
    ),
  twins: (about: About, { key, twins = [] }: Pick<Present, "key" | "twins">, kind: Kind): Diagnostic => {
    const { noun } = kind;
    const where = ofItsParent(kind);
    return say(
      "reference/remembered#twins",
      {
        others: twins.length === 1 ? `another ${noun.one}` : `${twins.length} other ${noun.many}`,
        where,
        count: twins.length,
        id: key.at(-1) ?? "",
        names: inNames(twins),
      },
      { span: about.span },
    );
  },
  mayExist: (about: About, strangers: readonly Observed[], { noun, shape }: Kind): Diagnostic =>
    say(
      "plan/may-exist",
      {
        noun: noun.one,
        identity: shape.identity.at(-1) ?? "",
        strangers: inNames(strangers),
        address: about.address,
      },
      { span: about.span },
    ),
  noParent: (about: About & { readonly identity: JsonObject }, kind: Kind): Diagnostic =>
    say(
      "plan/parent-missing",
      { missing: missingParent(about.identity, kind), fields: kind.shape.identity },
      { span: about.span },
    ),
  cannotCreate: (about: About, kind: Kind, on: Interface): Diagnostic => {
    const id = kind.shape.identity.at(-1) ?? "";
    const isOffered = kind.verbs[on].includes("create");
    return say(
      isOffered ? "plan/cannot-create#written" : "plan/cannot-create#interface",
      { noun: kind.noun.one, needed: kind.shape.neededToCreate, id },
      { span: about.span },
    );
  },
  createOnly: (
    about: About & Pick<Step, "identity" | "key">,
    field: string,
    before: Json,
    kind: Kind,
  ): Diagnostic => {
    const [was, now] = [written(before), written(about.identity[field])];
    const id = kind.shape.identity.at(-1) ?? "";
    const under = kind.holdsOthers ? " and everything that the service keeps under it" : "";
    return say(
      "plan/create-only-edited",
      { noun: kind.noun.one, field, was, now, id, key: about.key?.join("/") ?? "the old one", under },
      { span: about.span },
    );
  },
  createOnlyUnverified: (
    about: About & Pick<Step, "identity">,
    field: string,
    before: Json | undefined,
    { noun }: Kind,
  ): Diagnostic =>
    say(
      "plan/create-only-unverified",
      { field, before: written(before), written: written(about.identity[field]), noun: noun.one },
      { span: about.span },
    ),
  createOnlyUnknown: (about: About & Pick<Step, "identity">, field: string, { noun }: Kind): Diagnostic =>
    say(
      "plan/create-only-unknown",
      { field, written: written(about.identity[field]), noun: noun.one },
      { span: about.span },
    ),
  unknownHalf: (about: About, units: readonly Unit[]): Diagnostic => {
    const names = units.map(({ name }) => `\`${name}\``).join(" and ");
    return say("plan/unknown-half", { names, address: about.address }, { span: about.span });
  },
  unseenHalf: (about: About, unit: Unit, after: JsonObject, entry: Entry | null): Diagnostic => {
    const sent = unit.members.flatMap((name) => (Object.hasOwn(after, name) ? [after[name] ?? null] : []));
    const [value] = sent;
    const how =
      value === undefined || entry === null
        ? "clears it, because the state has no record of it"
        : `sends the value that was recorded on ${entry.at.slice(0, 10)}: ${shortened(JSON.stringify(value))}`;
    return say("plan/unseen-half", { name: unit.name, how }, { span: about.span });
  },
  again: (about: About, kind: Kind): Diagnostic =>
    say("plan/create-again", { noun: kind.noun.one }, { span: about.span }),
  noDelete: (about: About, kind: Kind): Diagnostic =>
    say("plan/no-delete#kind", { noun: kind.noun.one, address: about.address }, { span: about.span }),
  removedSinceDiffers: (
    about: About & { readonly key: Key | null },
    ref: string,
    fields: readonly string[],
  ): Diagnostic =>
    say("plan/departed-differs", { ref, fields, key: about.key?.join("/") ?? "" }, { span: about.span }),
  removedSinceUnseen: (about: About, ref: string): Diagnostic =>
    say("plan/departed-unseen", { ref }, { span: about.span }),
  holdsOthers: (about: About, { noun, isPrunedByName }: Kind): Diagnostic => {
    const name = formatAddress(about.address);
    const how =
      isPrunedByName === true
        ? `name it under \`prune.resourceTypes\` in remit.yaml, or once by \`--cascade ${name}\``
        : `add \`{ address: ${name}, then: delete }\` under \`removed:\` in remit.yaml`;
    return say("plan/holds-others", { noun: noun.one, how, name }, { span: about.span });
  },
  notOurs: (about: About, { noun }: Kind): Diagnostic =>
    say("plan/no-delete#object", { noun: noun.one, address: about.address }, { span: about.span }),
  needBlocked: (about: About, needs: readonly Address[]): Diagnostic =>
    say("plan/need-blocked", { needs }, { span: about.span }),
  needPending: (about: About, needs: readonly Address[]): Diagnostic =>
    say("plan/need-pending", { needs }, { span: about.span }),
};

const MOST_SHOWN = 300;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`;
}

/** What the service says went wrong with an object that was read: a warning of every plan until it is over. */
export function troubleOf(
  about: { readonly address: Address; readonly span: Span | null },
  seen: Seen,
): readonly Diagnostic[] {
  return seen.as === "present" && seen.trouble !== undefined ? [diagnose.trouble(about, seen.trouble)] : [];
}

/** A value as a manifest writes it on one line. */
const written = (value: Json | undefined): string =>
  Array.isArray(value) ? `[${value.map(String).join(", ")}]` : String(value);
