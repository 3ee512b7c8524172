import type { Project } from "../../../cli/settings/project.js";
import { nameWithoutContext } from "../../../cli/settings/projectName.js";
import type { World } from "../../../cli/world/world.js";
import { yamlOf } from "../../../manifest/format/write.js";
import type { Checked, Diagnostic } from "../../../model/diagnostic.js";
import { hasErrors } from "../../../model/diagnostic.js";
import type { JsonObject } from "../../../model/json.js";
import { didYouMean } from "../../../schema/didYouMean.js";
import { StateError } from "../../../state/store.js";
import { readStateAddress, shownAddress } from "../../../state/stores.js";
import { say } from "../../../words/say.js";
import { IMAGE, isLabel, type KubernetesFlags, NAMESPACES, NIGHT } from "./asked.js";
import { applyObjects, type Fleet, type JobTenant, LABELS, planObjects } from "./objects.js";
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
    requestTimeout: project.settings.requestTimeout.value,
    mergedAt: flags.mergedAt ?? null,
  };
  const objects = flags.apply
    ? [
        ...approverObjects(fleet.namespace),
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
function togetherFaults({ apply, expect, window, mergedAt }: KubernetesFlags): readonly Diagnostic[] {
  if (apply && (expect ?? []).length === 0) return [say("command/usage#noEffect")];
  if (!apply && expect !== undefined) return [say("command/usage#noApply", { flag: "expect" })];
  if (!apply && mergedAt !== undefined) return [say("command/usage#noApply", { flag: "merged-at" })];
  if (apply && window !== undefined) return [say("command/usage#window")];
  const twice = (expect ?? []).find(
    ({ context }, at) => expect?.findIndex((one) => one.context === context) !== at,
  );
  return twice === undefined ? [] : [say("command/usage#effects", { context: called(twice.context) })];
}

function tenantFaults(
  { context, server, state }: JobTenant,
  isApply: boolean,
  source: ProjectSource["as"],
): readonly Diagnostic[] {
  const who = called(context);
  return [
    ...(context === null || isLabel(context) ? [] : [say("kubernetes/name", { who })]),
    ...(server === "" ? [say("kubernetes/place#server", { who })] : []),
    ...stateFaults(who, state, isApply, source),
  ];
}

/** Why the state of a tenant is lost with its pod, cannot be reached from there, or is at no place at all. */
function stateFaults(
  who: string,
  state: string,
  isApply: boolean,
  source: ProjectSource["as"],
): readonly Diagnostic[] {
  const shown = shownAddress(state);
  try {
    const address = readStateAddress(state);
    if (address.as === "file") {
      const part = isApply ? "the next plan knows nothing of the apply" : "drift is not known";
      return [say("kubernetes/state#file", { who, state: shown, part })];
    }
    const isOfCheckout = address.as === "git" && address.remote?.as !== "url";
    return source === "image" && isOfCheckout ? [say("kubernetes/state#remote", { who, state: shown })] : [];
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return [error.diagnostic];
  }
}

function called(context: string | null): string {
  return context === null ? "the project" : `the context ${context}`;
}

function unknownContext(named: string | null, tenants: readonly JobTenant[]): readonly Diagnostic[] {
  if (tenants.some(({ context }) => context === named)) return [];
  const known = tenants.flatMap(({ context }) => (context === null ? [] : [context]));
  if (named === null || known.length === 0) {
    return [say(named === null ? "command/usage#expectContext" : "command/usage#noContexts", { named })];
  }
  return [say("context/unknown#other", { named, known }, { hint: didYouMean(named, known) })];
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
      diagnostics: [say("kubernetes/place#checkout")],
    };
  const empty: Diagnostic = say("kubernetes/place#image", { image: IMAGE });
  return { value: inImage(root), diagnostics: image === undefined ? [empty] : [] };
}

/** What of a Job an API server lets someone change who may change a Job. */
const CHANGEABLE = [
  "activeDeadlineSeconds",
  "backoffLimit",
  "completions",
  "manualSelector",
  "maxFailedIndexes",
  "parallelism",
  "podReplacementPolicy",
  "template",
  "ttlSecondsAfterFinished",
];

/**
 * What lets an approver start a suspended Job and change nothing else of it: neither command, image, identity nor environment.
 * The policy holds for everyone, so a wider role of the cluster does not open it.
 */
function approverObjects(namespace: string): readonly JsonObject[] {
  const policy = `remit-approver-${namespace}`;
  return [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "remit-approver", namespace, labels: LABELS },
      rules: [
        { apiGroups: ["batch"], resources: ["jobs"], verbs: ["get", "list", "watch", "patch"] },
        { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list", "watch"] },
      ],
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: policy, labels: LABELS },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          resourceRules: [
            { apiGroups: ["batch"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["jobs"] },
          ],
        },
        validations: [
          ...CHANGEABLE.map((field) => ({
            expression: sameIn(field),
            message: `${field} of a Job of remit cannot be changed: delete the Job, and print it again.`,
          })),
          {
            expression: "!object.spec.suspend || oldObject.spec.suspend",
            message: "A Job of remit that was started cannot be suspended: delete it.",
          },
        ],
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: policy, labels: LABELS },
      spec: { policyName: policy, validationActions: ["Deny"] },
    },
  ];
}

function sameIn(field: string): string {
  const [now, before] = [`object.spec.${field}`, `oldObject.spec.${field}`];
  return `has(${now}) == has(${before}) && (!has(${now}) || ${now} == ${before})`;
}
