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
    note(
      about,
      "plan/uncertain",
      "error",
      `${aboutUncertain(uncertain)}: ${uncertain.why}`,
      afterUncertain({ address: about.address, key: uncertain.key }),
    ),
  foundAgain: (about: About, create: Uncertain): Diagnostic =>
    note(
      about,
      "plan/found-again",
      "note",
      `${aboutUncertain(create)} until now: this object is what it made`,
      "The next apply records it.",
    ),
  renamedUncertain: (about: About, create: Uncertain): Diagnostic =>
    note(
      about,
      "plan/uncertain",
      "error",
      `the create of ${formatAddress(create.address)} may have made it; ${aboutUncertain(create)}`,
      `If you renamed the manifest, give it the name ${create.address.name} again until a plan has adopted the object. ${afterUncertain(create)}`,
    ),
  trouble: (about: About, message: string): Diagnostic =>
    note(
      about,
      "plan/run-failed",
      "warning",
      message,
      "Its members may not be those whom the rule matches. Look at the automation in the service.",
    ),
  wider: (about: About, paths: readonly string[]): Diagnostic =>
    note(
      about,
      "plan/wider",
      "note",
      `${paths.join(", ")} ${paths.length === 1 ? "restricts" : "restrict"} less than before`,
      "Compare the values before and after: more is reviewed from the next campaign on.",
    ),
  unprotected: (about: About): Diagnostic =>
    note(
      about,
      UNPROTECTED,
      "note",
      "the object is no longer protected: the manifest does not have the annotation `remit/protect` any more",
      'To keep the protection, write `remit/protect: "true"` under `metadata.annotations`.',
    ),
  managed: (about: About, by: string): Diagnostic =>
    note(
      about,
      "plan/managed-elsewhere",
      "warning",
      `${by} manages it, so it is left alone`,
      "Remove the manifest, or release the object in the service.",
    ),
  managedOtherwise: (about: About, by: string, fields: readonly string[]): Diagnostic =>
    note(
      about,
      "plan/managed-otherwise",
      "warning",
      `${by} manages it, so remit leaves it as it is; the manifest has another value for ${fields.map((name) => `\`${name}\``).join(", ")}`,
      "Remove the manifest, write what the object contains, or release the object in the service.",
    ),
  gone: (about: About): Diagnostic =>
    note(
      about,
      "plan/gone",
      "warning",
      "it was applied before, and is no longer in the tenant; the state keeps its record",
      about.span === null
        ? "The next `remit apply` removes the record."
        : `\`remit apply\` creates it again. \`remit accept ${formatAddress(about.address)}\` removes its manifest instead.`,
    ),
  twins: (about: About, { key, twins = [] }: Pick<Present, "key" | "twins">, kind: Kind): Diagnostic => {
    const { noun } = kind;
    const where = ofItsParent(kind);
    return note(
      about,
      "reference/remembered",
      "warning",
      `${twins.length === 1 ? `another ${noun.one}${where} has` : `${twins.length} other ${noun.many}${where} have`} the same displayName; remit uses the one that it managed before`,
      `Write its id ${key.at(-1) ?? ""} to keep it. The others: ${inNames(twins)}.`,
    );
  },
  mayExist: (about: About, strangers: readonly Observed[], { noun, shape }: Kind): Diagnostic =>
    note(
      about,
      "plan/may-exist",
      "error",
      `the state has no record of it, so remit cannot tell whether this ${noun.one} is new, or one of the app that has another name now`,
      `If it is one of these, write its \`${shape.identity.at(-1) ?? ""}\`: ${inNames(strangers)}. If it is new, add --acknowledge unknown-current=${formatAddress(about.address)}.`,
    ),
  noParent: (about: About & { readonly identity: JsonObject }, kind: Kind): Diagnostic =>
    note(
      about,
      "plan/parent-missing",
      "error",
      missingParent(about.identity, kind),
      `Check \`${kind.shape.identity.join("`, `")}\` in the manifest: the object must exist before remit can change it.`,
    ),
  cannotCreate: (about: About, kind: Kind, on: Interface): Diagnostic => {
    const id = kind.shape.identity.at(-1) ?? "";
    const isOffered = kind.verbs[on].includes("create");
    return note(
      about,
      "plan/cannot-create",
      "error",
      isOffered
        ? `the ${kind.noun.one} does not exist, and cannot be created as it is written`
        : `this interface cannot create a ${kind.noun.one}`,
      isOffered
        ? `To create it, write \`${kind.shape.neededToCreate.join("`, `")}\` and leave out \`${id}\`, which the service chooses.`
        : `Write its \`${id}\`. If it does not exist yet, create it in the service first.`,
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
    return note(
      about,
      "plan/create-only-edited",
      "error",
      `the ${kind.noun.one} was created with \`${field}\` ${was}, and the manifest writes ${now}; only a create can set it`,
      `To keep the ${kind.noun.one}, write \`${field}: ${was}\`. A replacement requires a new one: give the manifest another \`metadata.name\` and \`displayName\`, and leave out \`${id}\`. The plan then creates it and lists ${about.key?.join("/") ?? "the old one"} as removed. To delete that one deletes the ${kind.noun.one}${under}.`,
    );
  },
  createOnlyUnverified: (
    about: About & Pick<Step, "identity">,
    field: string,
    before: Json | undefined,
    { noun }: Kind,
  ): Diagnostic =>
    note(
      about,
      "plan/create-only-unverified",
      "warning",
      `\`${field}\` was edited from ${written(before)} to ${written(about.identity[field])}; only a create can set it, and remit cannot compare it, because it did not create the ${noun.one}`,
      `The ${noun.one} stays as it is. If it must be ${written(about.identity[field])}, create a new one: give the manifest another \`metadata.name\` and \`displayName\`.`,
    ),
  createOnlyUnknown: (about: About & Pick<Step, "identity">, field: string, { noun }: Kind): Diagnostic =>
    note(
      about,
      "plan/create-only-unknown",
      "note",
      `\`${field}\` (${written(about.identity[field])}) cannot be compared: remit did not create the ${noun.one} with it, and the service does not show the field`,
      `It is used only to create the ${noun.one} again after a delete.`,
    ),
  unknownHalf: (about: About, units: readonly Unit[]): Diagnostic => {
    const names = units.map(({ name }) => `\`${name}\``).join(" and ");
    return note(
      about,
      "plan/unknown-half",
      "error",
      `the write also replaces ${names}, and the tenant's value cannot be read`,
      `Write ${names} under \`spec\`; an empty one (\`[]\`, \`null\`) clears it on purpose. Or add --acknowledge unknown-current=${formatAddress(about.address)}: remit then sends the recorded value, or clears the field.`,
    );
  },
  unseenHalf: (about: About, unit: Unit, after: JsonObject, entry: Entry | null): Diagnostic => {
    const sent = unit.members.flatMap((name) => (Object.hasOwn(after, name) ? [after[name] ?? null] : []));
    const [value] = sent;
    const how =
      value === undefined || entry === null
        ? "clears it, because the state has no record of it"
        : `sends the value that was recorded on ${entry.at.slice(0, 10)}: ${shortened(JSON.stringify(value))}`;
    return note(
      about,
      "plan/unseen-half",
      "warning",
      `the write replaces \`${unit.name}\`, which was not seen; it ${how}`,
      `Write \`${unit.name}\` under \`spec\` to decide what it contains.`,
    );
  },
  again: (about: About, kind: Kind): Diagnostic =>
    note(
      about,
      "plan/create-again",
      "warning",
      `the ${kind.noun.one} is created again: the service offers no update, and decides whether this replaces the first`,
      "Look at it in the service after the apply.",
    ),
  noDelete: (about: About, kind: Kind): Diagnostic =>
    note(
      about,
      "plan/no-delete",
      "error",
      `remit cannot delete a ${kind.noun.one} here`,
      `Add \`{ address: ${formatAddress(about.address)}, then: forget }\` under \`removed:\` in remit.yaml to stop managing it, and delete it in the service.`,
    ),
  removedSinceDiffers: (
    about: About & { readonly key: Key | null },
    ref: string,
    fields: readonly string[],
  ): Diagnostic =>
    note(
      about,
      "plan/departed-differs",
      "error",
      `its manifest was removed since ${ref}, and the tenant has other values than that manifest: ${fields.join(", ")}`,
      `remit deletes it only as it was reviewed. To delete it as it is, write \`key: ${about.key?.join("/") ?? ""}\` and \`then: delete\` for it under \`removed:\` in remit.yaml.`,
    ),
  removedSinceUnseen: (about: About, ref: string): Diagnostic =>
    note(
      about,
      "plan/departed-unseen",
      "error",
      `its manifest was removed since ${ref}, and remit cannot read whether the tenant still has its values`,
      "Plan with the state of the last apply, or where the service can be read.",
    ),
  holdsOthers: (about: About, { noun, isPrunedByName }: Kind): Diagnostic => {
    const name = formatAddress(about.address);
    const how =
      isPrunedByName === true
        ? `name it under \`prune.resourceTypes\` in remit.yaml, or once by \`--cascade ${name}\``
        : `add \`{ address: ${name}, then: delete }\` under \`removed:\` in remit.yaml`;
    return note(
      about,
      "plan/holds-others",
      "warning",
      `the ${noun.one} is kept: the service would delete everything under it`,
      `To delete it, ${how}; \`remit state forget ${name}\` leaves it in the tenant for good.`,
    );
  },
  notOurs: (about: About, { noun }: Kind): Diagnostic =>
    note(
      about,
      "plan/no-delete",
      "error",
      `people did not make this ${noun.one}, so it cannot be deleted`,
      `Add \`{ address: ${formatAddress(about.address)}, then: forget }\` under \`removed:\` in remit.yaml to stop managing it.`,
    ),
  needBlocked: (about: About, needs: readonly Address[]): Diagnostic =>
    note(
      about,
      "plan/need-blocked",
      "error",
      `it needs ${needs.map(formatAddress).join(", ")}, which ${needs.length === 1 ? "is" : "are"} blocked`,
      "Fix that first.",
    ),
  needPending: (about: About, needs: readonly Address[]): Diagnostic =>
    note(
      about,
      "plan/need-pending",
      "error",
      `it needs ${needs.map(formatAddress).join(", ")}, which this change does not create and no apply created yet`,
      "Apply the earlier change first, or plan without --since.",
    ),
};

function note(
  { span }: About,
  code: string,
  severity: Diagnostic["severity"],
  message: string,
  hint: string,
): Diagnostic {
  return { code, severity, message, hint, ...(span === null ? {} : { span }) };
}

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
