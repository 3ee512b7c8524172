import { yamlOf } from "../../../../manifest/format/yamlOf.js";
import type { Checked, Diagnostic } from "../../../../model/diagnostic.js";
import { hasErrors } from "../../../../model/diagnostic.js";
import { didYouMean } from "../../../../schema/didYouMean.js";
import type { Project } from "../../../settings/project.js";
import { nameWithoutContext } from "../../../settings/projectName.js";
import type { World } from "../../../world/world.js";
import { approverObjects } from "./approver.js";
import { IMAGE, isLabel, type KubernetesFlags, NAMESPACES, NIGHT } from "./asked.js";
import { applyObjects, type Fleet, type JobTenant, LABELS, planObjects } from "./objects.js";
import { isOfCheckout, storeOf } from "./pod.js";
import { inImage, inRepository, type ProjectSource } from "./source.js";

/** A fleet as the text of plain manifests; empty with an error. The same project and flags give the same bytes. */
export async function kubernetesText(
  world: World,
  project: Project,
  flags: KubernetesFlags,
): Promise<Checked<string>> {
  const wrongFlags = togetherFaults(flags);
  if (hasErrors(wrongFlags)) return { value: "", diagnostics: wrongFlags };
  const tenants = tenantsOf(project);
  const source = await sourceFor(world, project, flags);
  const approved = flags.expect ?? [];
  const diagnostics = [
    ...tenants.flatMap((tenant) => tenantFaults(tenant, flags.apply, source.value?.as ?? "git")),
    ...approved.flatMap(({ context }) => unknownContext(context, tenants)),
    ...source.diagnostics,
  ];
  if (source.value === null || hasErrors(diagnostics)) return { value: "", diagnostics };
  const fleet: Fleet = {
    namespace: flags.namespace ?? NAMESPACES[flags.apply ? "apply" : "plan"],
    image: flags.image ?? IMAGE,
    source: source.value,
    project: (await nameWithoutContext(world, project)) ?? "",
  };
  const objects = flags.apply
    ? [
        ...approverObjects(fleet.namespace, LABELS),
        ...approved.flatMap((one) =>
          tenants
            .filter(({ context }) => context === one.context)
            .flatMap((tenant) => applyObjects(tenant, one, fleet)),
        ),
      ]
    : tenants.flatMap((tenant) => planObjects(tenant, flags.window ?? NIGHT, fleet));
  return { value: objects.map(yamlOf).join("---\n"), diagnostics };
}

/** The tenants of the contexts in force, or that of a project without contexts. */
function tenantsOf({ tenants, settings }: Project): readonly JobTenant[] {
  const named = tenants.map(({ context, server, state }) => ({
    context,
    server: server ?? "",
    state,
  }));
  const whole = { context: null, server: settings.server.value ?? "", state: settings.state.value };
  return named.length === 0 ? [whole] : named;
}

/** Flags that do not go together. */
function togetherFaults({ apply, expect, window }: KubernetesFlags): readonly Diagnostic[] {
  const usage = (message: string, hint: string): Diagnostic => ({
    code: "command/usage",
    severity: "error",
    message,
    hint,
  });
  if (apply && (expect ?? []).length === 0)
    return [
      usage("--apply needs an effect", "Add --expect CONTEXT=EFFECT, with the effect that the plan shows."),
    ];
  if (!apply && expect !== undefined)
    return [usage("--expect belongs to --apply", "Add --apply, or leave out --expect.")];
  if (apply && window !== undefined)
    return [usage("--window belongs to plans: a person starts an apply", "Leave out --window or --apply.")];
  const twice = (expect ?? []).find(
    ({ context }, at) => expect?.findIndex((one) => one.context === context) !== at,
  );
  return twice === undefined
    ? []
    : [usage(`${called(twice.context)} has two effects`, "Give --expect once for each context.")];
}

function tenantFaults(
  { context, server, state }: JobTenant,
  isApply: boolean,
  source: ProjectSource["as"],
): readonly Diagnostic[] {
  const who = called(context);
  const name: Diagnostic = {
    code: "kubernetes/name",
    severity: "error",
    message: `${who} cannot be part of a name in Kubernetes, which begins and ends with a letter or a digit`,
    hint: "Rename the context, and give its state to the new name: `remit state move --context NEW --from-project '…#OLD'`.",
  };
  const place: Diagnostic = {
    code: "kubernetes/place",
    severity: "error",
    message: `${who} has no server, so no job knows its tenant`,
    hint: "Write `server` in remit.yaml.",
  };
  const kept: Diagnostic = {
    code: "kubernetes/state",
    severity: "warning",
    message: `the state of ${who} is a file (${state}), which ends with the pod`,
    hint: `Keep it in a store (docs/stores.md), such as "git:". Without one, ${isApply ? "the next plan knows nothing of the apply" : "drift is not known"}.`,
  };
  const unreachable: Diagnostic = {
    code: "kubernetes/state",
    severity: "warning",
    message: `the state of ${who} is kept in the remote of a checkout (${state}), and an image has no checkout`,
    hint: "Name the remote: git:https://HOST/PATH.git#NAME, and give `project` in remit.yaml.",
  };
  return [
    ...(context === null || isLabel(context) ? [] : [name]),
    ...(server === "" ? [place] : []),
    ...(storeOf(state) === "file" ? [kept] : []),
    ...(source === "image" && isOfCheckout(state) ? [unreachable] : []),
  ];
}

function called(context: string | null): string {
  return context === null ? "the project" : `the context ${context}`;
}

function unknownContext(named: string | null, tenants: readonly JobTenant[]): readonly Diagnostic[] {
  if (tenants.some(({ context }) => context === named)) return [];
  const known = tenants.flatMap(({ context }) => (context === null ? [] : [context]));
  if (named === null || known.length === 0) {
    const message =
      named === null ? "--expect names no context" : `no context is called ${JSON.stringify(named)}`;
    const hint =
      named === null ? "Write --expect CONTEXT=EFFECT." : "This project has none: write --expect EFFECT.";
    return [{ code: "command/usage", severity: "error", message, hint }];
  }
  return [
    {
      code: "context/unknown",
      severity: "error",
      message: `no context is called ${JSON.stringify(named)}`,
      hint: didYouMean(named, known) ?? `The contexts are ${known.join(", ")}.`,
    },
  ];
}

/** Where pods have the project from. Without a flag, it is the repository, or the image where there is none. */
async function sourceFor(
  world: World,
  { root }: Project,
  { source, image }: KubernetesFlags,
): Promise<Checked<ProjectSource | null>> {
  const repository = source === "image" ? null : await inRepository(world, root);
  if (repository !== null) return { value: repository, diagnostics: [] };
  if (source === "git")
    return {
      value: null,
      diagnostics: [
        {
          code: "kubernetes/place",
          severity: "error",
          message: "the checkout has no remote that a pod can clone over https",
          hint: "Add a remote with an https address, or use --source image.",
        },
      ],
    };
  const empty: Diagnostic = {
    code: "kubernetes/place",
    severity: "warning",
    message: `pods have the project from their image, and ${IMAGE} does not contain it`,
    hint: "Build an image from it with the project in /project, and name it: --image NAME.",
  };
  return { value: inImage(root), diagnostics: image === undefined ? [empty] : [] };
}
