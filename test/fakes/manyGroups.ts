import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { memberNamed, resourceNamed, ruleNamed } from "./groups.js";
import type { Many } from "./many.js";
import type { Manifest } from "./project.js";

const DESK: Manifest = {
  kind: "Webhook",
  name: "desk",
  spec: { displayName: "Desk", url: "https://desk.example.com" },
};

/** A tenant that has nothing, and so many groups with a webhook that provides their access: each has ids that an apply creates. */
export function makeManyGroups(size: number): Many {
  const provider = { webhook: { webhookId: { manifest: "desk" } } };
  const policies = { provisionPolicy: provider, deprovisionerPolicy: provider };
  return {
    tenant: { ...EMPTY_TENANT, open: false, apps: [{ id: C1_APP_ID, displayName: "C1" }] },
    wanted: (round) => [
      ...Array.from({ length: size }, (_, place) => `group${place}`).flatMap((name, place) => [
        ruleNamed(name, name, { displayName: `Rule ${place}.${round}` }),
        memberNamed(name, name, { displayName: `Member ${place}.${round}`, ...policies }),
        resourceNamed(name, `Group ${place}.${round}`),
      ]),
      DESK,
    ],
  };
}
