/** The examples by the names of their folders. */
export const EXAMPLES = [
  "access-profile",
  "apps",
  "brownfield",
  "company",
  "core-only",
  "departments",
  "github-actions",
  "gitlab-ci",
  "groups",
  "guards",
  "joiner-mover-leaver",
  "many-apps",
  "plan-from-code",
  "policies",
  "quarterly-review",
  "quickstart",
  "review",
  "two-tenants",
] as const;

/** The name of an example. */
export type ExampleName = (typeof EXAMPLES)[number];
