import type { AskedInterface } from "../../kinds/interface.js";
import type { AppNames } from "../../manifest/references.js";
import { groupAt } from "../../model/groupBy.js";
import type { JsonObject } from "../../model/json.js";
import { type Meanings, parseReference, spellManifest, spellReference } from "../../model/meaning.js";
import type { Plan } from "../../plan/plan.js";
import { holdersIn } from "../../state/names.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { PointedAt } from "../../tenant/names/catalogue.js";
import { pointedText } from "../../tenant/names/catalogue.js";
import { nameFor } from "../../tenant/names/nameFor.js";
import { openLive } from "../../tenant/origin.js";
import type { Tenant } from "../../tenant/tenant.js";
import type { NameOf } from "./edit/written.js";

/** Finds names for ids in two rounds: the first only notes which are asked for, and the second is made with them. */
export type AcceptNaming = <Made>(make: (nameOf: NameOf) => Made) => Promise<{
  readonly made: Made;
  /** What the names that were asked for mean. */
  readonly meanings: Meanings;
}>;

/** Names as the tenant's lists show them. */
export function namesOfTenant(
  tenant: Tenant,
  asked: AskedInterface,
  apps: AppNames,
  snapshot: Snapshot | null,
): AcceptNaming {
  const origin = openLive({ asked, tenant, snapshot, apps, progress: () => undefined });
  return naming((pointed, by) => nameFor(pointed, by, origin));
}

/** Names that a plan resolved, and those of the project file: nothing is asked. */
export function namesOfPlan({ steps }: Plan, apps: AppNames): AcceptNaming {
  const known = new Map<string, { readonly by: string; readonly text: string }[]>();
  const add = (of: string, app: string, id: string, by: string, text: string) => {
    const place = pointedText({ of, app, id });
    groupAt(known, place).push({ by, text });
  };
  for (const {
    managed: { meanings },
  } of steps)
    for (const [spelling, id] of Object.entries(meanings)) {
      const reference = parseReference(spelling);
      if (reference !== undefined) add(reference.of, reference.app, id, reference.by, reference.text);
    }
  for (const [name, id] of Object.entries(apps)) add("app", "", id, "name", name);
  return naming(async (pointed, by) => {
    const names = known.get(pointedText(pointed)) ?? [];
    const found = names.find((one) => one.by === by) ?? names[0];
    return found === undefined ? null : { [found.by]: found.text };
  });
}

/** What manifests are called by the service, as the state and the steps of a plan say. */
export function idsOfManifests(steps: Plan["steps"], snapshot: Snapshot | null): Meanings {
  const known = [...holdersIn(Object.values(snapshot?.entries ?? {})).values(), ...steps];
  return Object.fromEntries(
    known.flatMap(({ address: { kind, name }, key }) => {
      const id = key?.at(-1);
      return id === undefined ? [] : [[spellManifest(kind, name), id]];
    }),
  );
}

function naming(find: (pointed: PointedAt, by: string) => Promise<JsonObject | null>): AcceptNaming {
  return async (make) => {
    const asked = new Map<string, { readonly pointed: PointedAt; readonly by: string }>();
    make((pointed, by) => {
      asked.set(`${pointedText(pointed)} ${by}`, { pointed, by });
      return null;
    });
    const found = new Map<string, JsonObject | null>();
    const meanings: Record<string, string> = {};
    for (const [place, { pointed, by }] of asked) {
      const reference = await find(pointed, by);
      found.set(place, reference);
      for (const [form, text] of Object.entries(reference ?? {})) {
        const { of, app, id } = pointed;
        meanings[spellReference({ of, app, by: form, text: String(text) })] = id;
      }
    }
    return { made: make((pointed, by) => found.get(`${pointedText(pointed)} ${by}`) ?? null), meanings };
  };
}
