import { policy } from "../kinds/policy.js";
import { DEEPEST } from "../kinds/policyMistakes.js";
import { textOf } from "../kinds/spelling.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { say } from "../words/say.js";
import type { Diagnosed, NamedMember } from "./duplicates.js";
import { manifestsNamed } from "./linked.js";
import type { Resource } from "./resource.js";

/** A policy that another one leads to, and where that is written. */
interface Link {
  readonly from: Resource;
  readonly path: Path;
  readonly to: Resource;
}

/** Links by the policy that they stand in. */
type Links = ReadonlyMap<Resource, readonly Link[]>;

/**
 * Policies of the project that lead to each other by rules and baselines as the service refuses it: in a ring, too deep, or
 * to another type. docs/service/whole-tenant.md, section 1.6.
 */
export function policyChains(members: readonly NamedMember[]): readonly Diagnosed[] {
  const policies = members.filter(({ kind }) => kind.name === policy.name).map(({ resource }) => resource);
  const links: Links = new Map(policies.map((one) => [one, linksOf(one, policies)]));
  const chains = new Map<Resource, readonly Resource[] | null>();
  const ringed = new Set<Resource>();
  return [...links.values()].flat().flatMap((link): readonly Diagnosed[] => {
    const { from, to, path } = link;
    const at = from.place(["spec", ...path]);
    const about = (resources: readonly Resource[], diagnostic: Diagnostic) => [{ diagnostic, resources }];
    const chain = chainFrom(to, links, chains);
    if (chain === null) {
      const ring = wayBack(link, links);
      if (ring === null || ring.some((one) => ringed.has(one))) return [];
      for (const one of ring) ringed.add(one);
      return about(ring, say("policy/ring", { ring: ring.map(({ address }) => address) }, at));
    }
    const names = chain.map(({ address }) => address);
    if (chain.length > DEEPEST)
      return about([from, ...chain], say("policy/too-deep", { chain: names, most: DEEPEST }, at));
    const [own, type] = [textOf(from.spec, "policyType"), textOf(to.spec, "policyType")];
    // Of a policy that exists, a manifest need not say the type.
    if (own === type || own === "" || type === "") return [];
    return about([from, to], say("policy/other-type", { other: to.address, type, own }, at));
  });
}

/** The policies of the project that the rules and the baseline of one name, by a manifest or by an id. */
function linksOf(from: Resource, policies: readonly Resource[]): readonly Link[] {
  const { rules = [], baselinePolicyId = null } = from.spec;
  const named = [
    { path: ["baselinePolicyId"], value: baselinePolicyId },
    ...(Array.isArray(rules) ? rules : []).map((rule, at) => ({
      path: ["rules", at, "policyId"],
      value: isObject(rule) ? (rule.policyId ?? null) : null,
    })),
  ];
  return named.flatMap(({ path, value }) => {
    const [to] = isObject(value)
      ? manifestsNamed(policies, from, textOf(value, "manifest"))
      : policies.filter(({ spec }) => value !== null && value === spec.id);
    return to === undefined ? [] : [{ from, path, to }];
  });
}

/** The longest chain of policies from one on; null where it has no end. */
function chainFrom(
  one: Resource,
  links: Links,
  known: Map<Resource, readonly Resource[] | null>,
): readonly Resource[] | null {
  const found = known.get(one);
  if (found !== undefined) return found;
  // A policy that is met again is in a ring.
  known.set(one, null);
  const later = (links.get(one) ?? []).map(({ to }) => chainFrom(to, links, known));
  if (later.includes(null)) return null;
  const [longest = []] = later.filter((chain) => chain !== null).sort((a, b) => b.length - a.length);
  known.set(one, [one, ...longest]);
  return [one, ...longest];
}

/** The policies on the shortest way from one back to itself by a link; null where there is none. */
function wayBack({ from, to }: Link, links: Links): readonly Resource[] | null {
  const ways = [[to]];
  const seen = new Set<Resource>();
  for (const way of ways) {
    const last = way.at(-1) ?? to;
    if (last === from) return way;
    if (seen.has(last)) continue;
    seen.add(last);
    ways.push(...(links.get(last) ?? []).map((link) => [...way, link.to]));
  }
  return null;
}
