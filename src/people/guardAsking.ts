import type { Resource } from "../manifest/resource.js";
import type { Request } from "../plan/request.js";
import type { GuardAsking } from "./count.js";

/** What the guards of a team ask of people; null where none asks who gains, loses or holds something. */
export function guardAsking(
  { rules, project }: Pick<Request, "rules" | "project">,
  resources: readonly Resource[],
): GuardAsking | null {
  const { guards } = rules.settings.own;
  if (!guards.some(({ readsPeople }) => readsPeople)) return null;
  const apps = project.manifests.apps ?? {};
  const holds = guards.flatMap((guard) => guard.holds);
  return { rules: { resources, apps }, holds };
}
