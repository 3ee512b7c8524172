import type { Resource } from "../manifest/resource.js";
import type { Request } from "../plan/request.js";
import type { GuardAsking } from "./count.js";

/** Whether a guard that a team wrote asks who gains, loses or holds something: people then have to be counted. */
function guardsReadPeople({ rules }: Pick<Request, "rules">): boolean {
  return rules.settings.own.guards.some(({ readsPeople }) => readsPeople);
}

/** What the guards of a request ask of people; null where they ask nothing. */
export function guardAsking(
  request: Pick<Request, "rules" | "project">,
  resources: readonly Resource[],
): GuardAsking | null {
  if (!guardsReadPeople(request)) return null;
  const apps = request.project.manifests.apps ?? {};
  const holds = request.rules.settings.own.guards.flatMap((guard) => guard.holds);
  return { rules: { resources, apps }, holds };
}
