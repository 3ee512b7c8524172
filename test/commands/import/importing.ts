import { plan } from "../../../src/apply/preview.js";
import type { ImportChoice } from "../../../src/commands/import/chosen.js";
import { type Manuscript, withEmptyPlan } from "../../../src/commands/import/emptyPlan.js";
import { importObjects } from "../../../src/commands/import/objects.js";
import { outlookOf } from "../../../src/plan/guards/guards.js";
import type { Quirks } from "../../../src/sandbox/http/exchange.js";
import type { Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { makeTenant } from "../../../src/tenant/tenant.js";
import { memorySession } from "../../apply/memorySession.js";
import { type RequestFields, requestFor } from "../../apply/request.js";
import { fakeClock } from "../../fakes/clock.js";
import { directClient } from "../../fakes/directClient.js";

export const EVERYTHING: ImportChoice = {
  patterns: [],
  apps: [],
  templates: [],
  limit: null,
  where: [],
  objects: null,
};

/** A tenant to import from, with the service in this process and nothing in its state. */
export function importingFrom(tenant: Tenant, more: RequestFields = {}, quirks: Quirks = {}) {
  const clock = fakeClock();
  const { client, writes } = directClient({ tenant, quirks }, clock);
  const session = memorySession(client, clock);

  const request = (text: string | null) => requestFor(text, more);

  return {
    writes,
    /** What is left of some manifests that are planned in memory. */
    proofread: (manuscripts: readonly Manuscript[]) =>
      withEmptyPlan(manuscripts, request(null), { snapshot: null, isStateLost: false }, makeTenant(client)),
    async take(
      choice: Partial<ImportChoice> = {},
      written: string | null = null,
      taken: readonly string[] = [],
    ) {
      const { value, diagnostics } = await importObjects(
        {
          request: request(written),
          choice: { ...EVERYTHING, ...choice },
          taken: () => new Set(taken),
          schema: () => null,
          progress: () => undefined,
        },
        session,
      );
      const manifests = value?.manifests ?? [];
      return {
        manifests,
        names: manifests.map(({ kind, name }) => `${kind}/${name}`),
        text: manifests.map(({ text }) => text).join("---\n"),
        leftOut: value?.leftOut ?? [],
        gone: value?.gone ?? [],
        incomparable: value?.incomparable ?? [],
        unknown: value?.unknown ?? [],
        diagnostics,
      };
    },
    /** What a plan of some manifests comes to, and what is done to each object. */
    async planned(text: string) {
      const { value, diagnostics } = await plan(request(text), session);
      if (value === null) throw new Error(JSON.stringify(diagnostics.slice(0, 3), null, 1));
      return { outlook: outlookOf(value), actions: new Set(value.steps.map(({ action }) => action)) };
    },
  };
}
