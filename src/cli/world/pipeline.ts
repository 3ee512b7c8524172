import { type Environment, readVariable } from "../../model/variables.js";
import type { Owner } from "../../state/store.js";

/** The job of a pipeline that this process is, and who started it. */
export function pipelineOf(env: Environment): Pick<Owner, "job" | "user"> {
  const read = (name: Parameters<typeof readVariable>[1]) => readVariable(env, name) ?? null;
  const user = read("GITHUB_ACTOR") ?? read("GITLAB_USER_LOGIN") ?? read("USER");
  const [server, repository, run] = [
    read("GITHUB_SERVER_URL"),
    read("GITHUB_REPOSITORY"),
    read("GITHUB_RUN_ID"),
  ];
  const isWhole = server !== null && repository !== null && run !== null;
  return { job: isWhole ? `${server}/${repository}/actions/runs/${run}` : read("CI_JOB_URL"), user };
}
