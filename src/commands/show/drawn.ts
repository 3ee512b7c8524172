import { kindNamed } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { relationAt } from "../../kinds/relation.js";
import { nameIn, textOf } from "../../kinds/spelling.js";
import { namesMeant } from "../../manifest/linked.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { parseReference } from "../../model/meaning.js";
import { pendingAddress } from "../../model/pending.js";
import { hidePeople } from "../../plan/people/impact.js";
import type { Planned } from "../../plan/plan.js";
import { eachId, type IdForm, referenceTo } from "../../plan/references.js";
import type { Step } from "../../plan/step.js";
import { describePlan } from "../../report/plan/describe.js";
import { shownAs } from "../../report/plan/words/labels.js";
import { briefOf } from "../../report/plan/words/people.js";
import { showTitle } from "../../report/plan/words/values.js";
import type { Drawn } from "../../report/view/graph.js";

/** An id that the plan creates, in a title: its address says as much. */
const PENDING = /‹id of ([^›]*)›/g;

/** How a reference is read: to what it leads, and what a reader calls that. */
type Reader = (value: Json, form: IdForm, holder: JsonObject) => { thing: string; title: string } | null;

/** The objects of a plan: whom it moves stands with each rule, without a name. */
export function drawnInPlan(planned: Planned, effect: string): readonly Drawn[] {
  const plan = hidePeople(planned);
  const { steps, people } = describePlan(plan, effect, kindNamed);
  const briefs = new Map([
    ...(people?.follow ?? []).flatMap(({ address, counts }) =>
      counts === null ? [] : [[address, briefOf(counts.gains, counts.loses)] as const],
    ),
    ...steps.flatMap((step) => (step.people === null ? [] : [[step.address, step.people.brief] as const])),
  ]);
  return plan.steps.flatMap((step) => drawnStep(step, plan.names, briefs.get(formatAddress(step.address))));
}

function drawnStep(step: Step, names: Planned["names"], brief: string | undefined): readonly Drawn[] {
  const kind = kindNamed(step.address.kind);
  if (kind === undefined) return [];
  const { key, managed, action } = step;
  const object = { ...managed.identity, ...(step.after ?? step.before ?? {}) };
  const read: Reader = (value, { of, within }, holder) => {
    if (typeof value !== "string") return null;
    const pending = pendingAddress(value);
    if (pending !== null) return madeBy(pending);
    const app = within === undefined ? "" : textOf(holder, within);
    const thing = app === "" ? `${of}:${value}` : `${of}:${app}/${value}`;
    return { thing, title: titleOf(thing, app, value, names) };
  };
  // Of what stays as it is, a plan has what its names mean, and not where they stand.
  const kept = step.after === null && step.before === null ? meantBy(step, names) : [];
  const fixed =
    key === null ? [] : [kind.isPointedAt ? referenceTo(kind, key) : undefined, enrollmentOf(kind, key)];
  return [
    {
      address: formatAddress(step.address),
      isNamed: fixed.flatMap((one) => one ?? []),
      title: showTitle(step, kind.shape, names).replace(PENDING, "$1"),
      lines: [...rulesIn(kind, object), ...(brief === undefined || brief === "" ? [] : [`people: ${brief}`])],
      action: shownAs(action),
      names: [...namesIn(kind, object, read), ...kept],
    },
  ];
}

function meantBy({ managed: { meanings, identity } }: Step, names: Planned["names"]): Drawn["names"] {
  const own = Object.values(identity);
  return Object.entries(meanings).flatMap(([spelling, id]) => {
    const { of, app, by, text } = parseReference(spelling) ?? {};
    if (of === undefined || !["entitlement", "policy", "accessProfile", "resource", "manifest"].includes(of))
      return [];
    if (own.includes(id)) return [];
    const thing = of === "manifest" ? `${by}/${text}` : app === "" ? `${of}:${id}` : `${of}:${app}/${id}`;
    const title = of === "manifest" ? thing : titleOf(thing, app ?? "", text ?? id, names);
    return [{ thing, title, relation: { says: "names", as: "other" as const } }];
  });
}

/** The objects of the manifests of a project; an app that the settings name is the same by its name and its id. */
export function drawnInProject(
  resources: readonly Resource[],
  apps: Readonly<Record<string, string>>,
): readonly Drawn[] {
  const known = new Set(resources.map(({ address }) => formatAddress(address)));
  const appNames = new Map(Object.entries(apps).map(([name, id]) => [id, name]));
  const nameOfApp = (value: Json | undefined): string => {
    const text = typeof value === "string" ? value : isObject(value) ? finderOf(value)[1] : "";
    return appNames.get(text) ?? text;
  };
  return resources.flatMap((resource) => {
    const { address, spec } = resource;
    const kind = kindNamed(address.kind);
    if (kind === undefined) return [];
    const read: Reader = (value, { of, within, manifest }, holder) => {
      const app = within === undefined ? "" : nameOfApp(holder[within]);
      const before = app === "" ? "" : `${app} › `;
      if (typeof value === "string") return { thing: `${of}:${app}/${value}`, title: `${before}${value}` };
      if (!isObject(value)) return null;
      const [by, text] = finderOf(value);
      if (by !== "manifest") return { thing: `${of}:${app}/${by}=${text}`, title: `${before}${text}` };
      const names = namesMeant(text, resource).map((name) => ({ kind: manifest ?? "", name }));
      const meant = names.find((one) => known.has(formatAddress(one))) ?? names[0];
      return meant === undefined ? null : madeBy(meant);
    };
    const [last = ""] = kind.shape.identity.slice(-1);
    const at = kind.shape.fields.get(last);
    const form = at?.type === "string" && at.form.is === "id" && kind.isPointedAt ? at.form : undefined;
    const ways: readonly Json[] = [
      spec[last] ?? null,
      ...FINDERS.map(([by, field]) => ({ [by]: textOf(spec, field) })),
    ];
    return [
      {
        address: formatAddress(address),
        isNamed: form === undefined ? [] : ways.flatMap((way) => read(way, form, spec)?.thing ?? []),
        title: nameIn(spec),
        lines: rulesIn(kind, spec),
        action: null,
        names: namesIn(kind, spec, read),
      },
    ];
  });
}

/** By what a manifest names an object, and the field of the object with that name. */
const FINDERS = [
  ["alias", "alias"],
  ["name", "displayName"],
] as const;

function finderOf(value: JsonObject): readonly [by: string, text: string] {
  const [[by, text] = ["", ""]] = Object.entries(value);
  return [by, typeof text === "string" ? text : ""];
}

function madeBy(address: Address) {
  const text = formatAddress(address);
  return { thing: text, title: text };
}

function titleOf(thing: string, app: string, id: string, names: Planned["names"]): string {
  const name = names[thing] ?? id;
  return app === "" ? name : `${names[`app:${app}`] ?? app} › ${name}`;
}

function enrollmentOf({ concern }: Kind, key: NonNullable<Step["key"]>): string | undefined {
  if (concern.as !== "profile") return undefined;
  const { appId, id } = concern.entitlement(key);
  return `entitlement:${appId}/${id}`;
}

/** The conditions of an object's own rule, as they are written. */
function rulesIn({ concern }: Kind, object: JsonObject): readonly string[] {
  if (concern.as !== "members" && concern.as !== "profile") return [];
  return expressionsIn(concern.rule(object));
}

function expressionsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (!isObject(value)) return [];
  const { expression, with: given } = value;
  const values = isObject(given ?? null) ? Object.entries(given as JsonObject) : [];
  return [
    ...(typeof expression === "string" ? [`rule: ${expression}`] : []),
    ...values.map(([name, text]) => `${name} = ${JSON.stringify(text)}`),
    ...Object.entries(value).flatMap(([name, inner]) => (name === "with" ? [] : expressionsIn(inner))),
  ];
}

/** What the ids in an object name, with what it says of each. */
function namesIn(kind: Kind, object: JsonObject, read: Reader): Drawn["names"] {
  const found: Drawn["names"][number][] = [];
  eachId(object, kind.shape, object, (value, form, holder, way) => {
    const relation = relationAt(kind, way, form.of);
    const meant = relation === null ? null : read(value, form, holder);
    if (relation !== null && meant !== null) found.push({ ...meant, relation });
  });
  return found;
}
