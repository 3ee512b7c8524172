import { colorFlag } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf, parseMoment, read, tenantFlags } from "../../cli/settings/flags.js";
import { diff } from "./diff/usage.js";
import { parseApproved, parseImage, parseNamespace, parseWindow } from "./kubernetes/asked.js";

/** `remit contexts list`, which `remit contexts` is as well. */
const list = {
  docs: {
    brief: "List the contexts, also for a pipeline or a cluster",
    fullDescription:
      "Prints the contexts of the settings in force, in the order of remit.yaml. A pipeline makes one job for each: for GitHub as " +
      "the value of `strategy.matrix`, for GitLab as YAML that its pipeline includes. For Kubernetes it prints a CronJob that plans for each, " +
      "or with --apply a suspended Job for each effect. A project without contexts has one job, which names none.\n\n" +
      "Examples:\n" +
      "  remit contexts\n" +
      "  remit contexts --settings-from HEAD^1 --format github\n" +
      "  remit contexts --format kubernetes --window 01:00-05:00 | kubectl apply -f -\n" +
      "  remit contexts --format kubernetes --apply --expect eu=sha256:…",
  },
  parameters: {
    flags: {
      format: oneOf(["text", "json", "github", "gitlab", "kubernetes"], "How they are printed"),
      namespace: read(parseNamespace, "name", "Kubernetes: remit, or remit-apply by default"),
      image: read(parseImage, "name", "Kubernetes: the image of the pods"),
      window: read(parseWindow, "times", "Kubernetes: when plans start, in UTC"),
      source: {
        kind: "enum",
        values: ["git", "image"],
        optional: true,
        brief: "Kubernetes: where pods have the project from",
      },
      apply: isGiven("Kubernetes: suspended Jobs that apply"),
      expect: {
        kind: "parsed",
        parse: parseApproved,
        variadic: true,
        optional: true,
        brief: "With --apply: CONTEXT=EFFECT, for each Job",
        placeholder: "effect",
      },
      mergedAt: read(parseMoment, "time", "With --apply: when the effects were merged, by the forge"),
      settingsFrom: tenantFlags.settingsFrom,
      ...colorFlag,
    },
  },
} as const;

/** `remit contexts`: the tenants of a project. */
export const contexts = {
  docs: { brief: "List the contexts, and compare two of them" },
  routes: { list, diff },
} as const;

/** Its flags. */
export type ContextsFlags = FlagsOf<typeof list.parameters.flags>;
