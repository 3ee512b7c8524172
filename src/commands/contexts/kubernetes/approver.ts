import type { JsonObject } from "../../../model/json.js";
import { LABELS } from "./objects.js";

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
export function approverObjects(namespace: string): readonly JsonObject[] {
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
