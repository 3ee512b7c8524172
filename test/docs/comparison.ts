import type { Given } from "../golden/harness.js";
import { APPLIED, drift, edit, rules } from "../golden/larkspur.js";

/** One row of the comparison: what both do, and the run of remit that shows its part. */
export interface Comparison {
  readonly topic: string;
  readonly remit: string;
  readonly terraform: string;
  /** Where the observation of the provider is from. */
  readonly source: string;
  readonly argv: readonly string[];
  readonly given: Given;
}

const GROUPS = "manifests/groups.yaml";
const REVIEW = "manifests/review.yaml";
const MEMBER = '{"appEntitlementId":"13K3E19Kdm8QC9ZfsDdQ3g9a3v6"';
const ACCESS = '{"appEntitlementId":"287oY0rG4UirjDNFEYguMBvxyim"';
const ROWS = `entitlements:
    - { appId: { name: GitHub }, appEntitlementId: { alias: github-admin } }
    - { appId: { name: GitHub }, appEntitlementId: { alias: github-member } }`;

const OBSERVED = "observed with provider 1.5.0";
const PROVIDER = "the provider's source, `access_review_template_setup_resource*.go`";

/** What README compares, each row with its run. */
export const COMPARISONS: readonly Comparison[] = [
  {
    topic: "drift in a template's entitlements",
    remit: "shown, with its cause and its line",
    terraform: "not found: a refresh does not copy the `entitlements` argument",
    source: PROVIDER,
    argv: ["plan", "--target", "TemplateScope/privileged-access"],
    given: {
      before: [APPLIED, drift(MEMBER, ACCESS)],
    },
  },
  {
    topic: "clearing a list",
    remit: "`[]` clears it; a guard asks first",
    terraform: "an empty list clears it",
    source: OBSERVED,
    argv: ["plan", "--target", "TemplateScope/privileged-access"],
    given: { before: [APPLIED, edit(REVIEW, ROWS, "entitlements: []")] },
  },
  {
    topic: "a change inside a scope",
    remit: "each field, before and after",
    terraform: "`known after apply` for the whole scope",
    source: OBSERVED,
    argv: ["plan", "--target", "TemplateScope/privileged-access"],
    given: { before: [APPLIED, edit(REVIEW, "90d", "30d")] },
  },
  {
    topic: "a plan after an apply",
    remit: "empty",
    terraform: "empty, except for values that the service spells otherwise",
    source: OBSERVED,
    argv: ["plan"],
    given: { before: [...respelling(), APPLIED] },
  },
  {
    topic: "a create without a reply",
    remit: "read back; sent again only if the object does not exist and its name cannot repeat",
    terraform: "the provider sends a call again after 429 alone",
    source: "the provider's source, `internal/sdk/uhttp/transport.go`",
    argv: ["apply", "--yes", "-q"],
    given: { before: rules("  - { fault: lost, path: '*/automation/create', times: 1 }\n") },
  },
];

function respelling() {
  return [
    ...rules("  - { fault: quirks, quirks: { rewriteExpressions: true } }\n"),
    edit(GROUPS, 'employmentType == "Contractor"', 'employmentType   ==   "Contractor"'),
  ];
}
