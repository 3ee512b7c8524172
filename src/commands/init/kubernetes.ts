import { openProject } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { type Checked, hasErrors } from "../../model/diagnostic.js";
import { NAMESPACES } from "../contexts/kubernetes/asked.js";
import { kubernetesText } from "../contexts/kubernetes/kubernetes.js";
import type { PipelineFile } from "./pipelines.js";

const FOLDER = "deploy/kubernetes";
const COMMAND = "remit contexts --format kubernetes";

/** A file of the project; its text may follow from the project, which may be written first. */
export interface ClusterFile extends Omit<PipelineFile, "text"> {
  readonly text: string | (() => Promise<Checked<string>>);
}

/** What a cluster needs for the plans of a project. The fleet comes first: nothing is written where it cannot be printed. */
export function kubernetesFiles(world: World, root: string): readonly ClusterFile[] {
  const file = (name: string, text: ClusterFile["text"]): ClusterFile => ({
    path: `${FOLDER}/${name}`,
    text,
    ifTaken: `Rename or remove it, then run this again. The fleet alone: ${COMMAND} > ${FOLDER}/fleet.yaml`,
  });
  return [
    file("fleet.yaml", () => fleetText({ ...world, cwd: root })),
    file("kustomization.yaml", KUSTOMIZATION),
    file("namespace.yaml", NAMESPACE),
    file("network-policy.yaml", NETWORK_POLICY),
    // Where the project is the whole folder, its objects are not manifests.
    file(".remitignore", "*.yaml\n"),
  ];
}

async function fleetText(world: World): Promise<Checked<string>> {
  const project = await openProject(world, {}, "in force", "none");
  if (hasErrors(project.diagnostics)) return { value: "", diagnostics: project.diagnostics };
  const { value, diagnostics } = await kubernetesText(world, project.value, { apply: false });
  return { value, diagnostics: [...project.diagnostics, ...diagnostics] };
}

const KUSTOMIZATION = `# kubectl apply -k ${FOLDER}
# In the pipeline of the project, so that the cluster runs what the project says:
#   ${COMMAND} | diff ${FOLDER}/fleet.yaml -
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - namespace.yaml
  - network-policy.yaml
  - fleet.yaml
`;

const NAMESPACE = `apiVersion: v1
kind: Namespace
metadata:
  name: ${NAMESPACES.plan}
  labels:
    pod-security.kubernetes.io/enforce: restricted
    pod-security.kubernetes.io/audit: restricted
    pod-security.kubernetes.io/warn: restricted
`;

const NETWORK_POLICY = `# Nothing reaches the pods. They reach names, and servers over https: tenants, the repository, the store of the state.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: remit
  namespace: ${NAMESPACES.plan}
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
  egress:
    - ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
    - ports:
        - { protocol: TCP, port: 443 }
`;
