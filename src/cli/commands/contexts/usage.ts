import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { tenantFlags } from "../../settings/flags.js";
import { colorFlag } from "../flags.js";
import type { ContextsFlags } from "./contexts.js";
import { parseApproved, parseImage, parseNamespace, parseWindow } from "./kubernetes/asked.js";

/** `remit contexts`. */
export const contexts = buildCommand<ContextsFlags, [], Context>({
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
      format: {
        kind: "enum",
        values: ["text", "json", "github", "gitlab", "kubernetes"],
        default: "text",
        brief: "How they are printed",
      },
      namespace: {
        kind: "parsed",
        parse: parseNamespace,
        optional: true,
        brief: "Kubernetes: remit, or remit-apply by default",
        placeholder: "name",
      },
      image: {
        kind: "parsed",
        parse: parseImage,
        optional: true,
        brief: "Kubernetes: the image of the pods",
        placeholder: "name",
      },
      window: {
        kind: "parsed",
        parse: parseWindow,
        optional: true,
        brief: "Kubernetes: when plans start, in UTC",
        placeholder: "times",
      },
      source: {
        kind: "enum",
        values: ["git", "image"],
        optional: true,
        brief: "Kubernetes: where pods have the project from",
      },
      apply: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Kubernetes: suspended Jobs that apply",
      },
      expect: {
        kind: "parsed",
        parse: parseApproved,
        variadic: true,
        optional: true,
        brief: "With --apply: CONTEXT=EFFECT, for each Job",
        placeholder: "effect",
      },
      settingsFrom: tenantFlags.settingsFrom,
      ...colorFlag,
    },
  },
  loader: () => import("./contexts.js"),
});
