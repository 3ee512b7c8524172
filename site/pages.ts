// What the site lists, in the order of a reader: each page of docs/ once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A section of the menu, and its pages: each by its file and its name. */
interface MenuSection {
  readonly text: string;
  readonly pages: readonly (readonly [page: string, name: string])[];
}

/** The sections of the menu: the name of each page's file, and what the menu calls it. */
export const SECTIONS: readonly MenuSection[] = [
  {
    text: "Begin",
    pages: [
      ["tutorial", "Your first half hour"],
      ["install", "Install"],
      ["concepts", "Ten words"],
      ["import", "You already have a tenant"],
      ["brownfield", "From a tenant to an empty plan"],
      ["editor", "Your editor"],
      ["faq", "Questions"],
    ],
  },
  {
    text: "Write",
    pages: [
      ["groups", "A group"],
      ["values", "Named values and shapes"],
      ["people", "Who gains and who loses"],
      ["tests", "Tests of rules"],
      ["guards", "Guards of your own"],
      ["get", "What the tenant contains"],
    ],
  },
  {
    text: "Run",
    pages: [
      ["automation", "In a pipeline"],
      ["github", "On GitHub"],
      ["gitlab", "On GitLab"],
      ["gitea", "On Gitea and Forgejo"],
      ["pull-requests", "Pull requests"],
      ["tokens", "Tokens and roles"],
      ["doctor", "What a token may do"],
      ["drift", "What changed in the tenant"],
      ["stores", "State and its stores"],
      ["history", "The history of runs"],
      ["tenants", "Several tenants"],
      ["fleet", "Many tenants"],
      ["telemetry", "Traces and figures"],
      ["emergencies", "Emergencies"],
    ],
  },
  {
    text: "Reference",
    pages: [
      ["manifests", "Manifests"],
      ["kinds/", "Kinds"],
      ["expressions", "Expressions"],
      ["settings", "remit.yaml"],
      ["commands", "Commands"],
      ["variables", "Variables"],
      ["formats", "Formats"],
      ["exit-codes", "Exit codes"],
      ["diagnostics", "Diagnostics"],
    ],
  },
  {
    text: "Judge",
    pages: [
      ["security", "Security"],
      ["audit", "Questions of an auditor"],
      ["questions", "Questions of a reviewer"],
      ["terraform", "remit and Terraform"],
      ["coverage", "What remit manages"],
      ["measured", "What remit costs"],
    ],
  },
  {
    text: "Change remit",
    pages: [
      ["adding-a-kind", "Adding a kind"],
      ["releasing", "Releasing"],
    ],
  },
];

/** The page of each kind, by its heading: a new kind is listed by itself. */
export function kindPages(folder: string): { text: string; link: string }[] {
  return readdirSync(folder)
    .filter((file) => file !== "README.md" && file.endsWith(".md"))
    .map((file) => {
      const [, text = file] = /^# (.+)$/m.exec(readFileSync(join(folder, file), "utf8")) ?? [];
      return { text, link: `/kinds/${file.replace(/\.md$/, "")}` };
    });
}
