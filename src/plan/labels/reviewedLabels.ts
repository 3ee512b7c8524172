import { manifestsThen } from "../../manifest/git/changes.js";
import type { ProjectAtCommit } from "../../manifest/git/earlierProject.js";
import type { LoadedProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import { resolveEarlier } from "../../tenant/earlier.js";
import type { Desired } from "../../tenant/known.js";
import { addressBefore, type MovedAddress } from "../../tenant/movedAddress.js";
import type { Origin } from "../../tenant/origin.js";
import type { Labels } from "../select/labels.js";
import type { ReviewedLabels } from "./otherLabels.js";

/** A manifest of the reviewed branch; the key of its object is null where it is not known. */
interface ReviewedManifest {
  readonly resource: Resource;
  readonly key: Desired["key"];
}

/**
 * The labels of the manifests of a reviewed branch. An object is known by its key, also under another address. Where
 * no key is known, its address counts, with the one before it and the one that `moved:` names.
 */
export async function reviewedLabels(
  past: ProjectAtCommit,
  project: LoadedProject,
  desired: readonly Desired[],
  moved: readonly MovedAddress[],
  origin: Origin,
): Promise<ReviewedLabels> {
  const then = manifestsThen(past, project);
  const keys = new Map(desired.map(({ resource, key }) => [formatAddress(resource.address), key]));
  const keyNow = ({ address }: Resource) => keys.get(formatAddress(address)) ?? null;
  const others = then.resources.filter((one) => !then.isOneObject(one));
  const resolved = await resolveEarlier(others, past.vocabulary.apps, origin);
  const found = new Map(resolved.value.map(({ resource, key }) => [resource, key]));
  const manifests = [
    ...then.unread.map((resource) => ({ resource, key: keyNow(resource) })),
    ...then.resources.map((resource) => ({
      resource,
      key: then.isOneObject(resource) ? keyNow(resource) : (found.get(resource) ?? null),
    })),
  ];
  const unclear = others.filter((one) => !found.has(one));
  return labelsAmong(manifests, { moved, isWhole: then.isKnown, unclear });
}

/** The same by addresses alone, where no manifest is compared with the tenant. */
export function reviewedLabelsByAddress(
  past: ProjectAtCommit,
  moved: readonly MovedAddress[],
): ReviewedLabels {
  const { resources, isKnown } = manifestsThen(past, null);
  const manifests = resources.map((resource) => ({ resource, key: null }));
  return labelsAmong(manifests, { moved, isWhole: isKnown, unclear: [] });
}

function labelsAmong(
  manifests: readonly ReviewedManifest[],
  {
    moved,
    isWhole,
    unclear,
  }: {
    readonly moved: readonly MovedAddress[];
    readonly isWhole: boolean;
    /** Manifests whose names mean nothing clear any more: each may have described any object of its kind. */
    readonly unclear: readonly Resource[];
  },
): ReviewedLabels {
  const byKey = new Map<string, Labels>();
  const byAddress = new Map<string, Labels>();
  for (const { resource, key } of manifests) {
    byAddress.set(formatAddress(resource.address), resource.labels);
    if (key !== null) byKey.set(formatKey(resource.address.kind, key), resource.labels);
  }
  const unclearKinds = new Set(
    unclear.filter(({ labels }) => Object.keys(labels).length > 0).map(({ address }) => address.kind),
  );
  return ({ address, key, recorded: { renamedFrom } }) => {
    const before = addressBefore(moved, address);
    const names = [
      address,
      ...(renamedFrom === null ? [] : [renamedFrom]),
      ...(before === undefined ? [] : [before]),
    ];
    const labels =
      (key === null ? undefined : byKey.get(formatKey(address.kind, key))) ??
      names.map((name) => byAddress.get(formatAddress(name))).find((one) => one !== undefined);
    if (labels !== undefined) return { labels };
    return isWhole && !unclearKinds.has(address.kind) ? null : { labels: null };
  };
}
