import type { Send } from "../model/call.js";
import type { Dialect } from "../tenant/client/dialect.js";
import type { Forge } from "./forge.js";
import { GITEA_DIALECT, gitea } from "./gitea.js";
import { GITHUB_DIALECT, github } from "./github.js";
import { gitlab, gitlabDialect } from "./gitlab.js";
import type { Pipeline } from "./pipeline.js";

/** How the forge of a pipeline is spoken to. */
export function dialectFor({ forge, token }: Pick<Pipeline, "forge" | "token">): Dialect {
  switch (forge) {
    case "github":
      return GITHUB_DIALECT;
    case "gitea":
      return GITEA_DIALECT;
    case "gitlab":
      return gitlabDialect(token?.isOfJob === true);
    default:
      return forge satisfies never;
  }
}

/** What comments are written on. Only GitLab numbers issues apart from pull requests. */
export type Commented = "pull request" | "issue";

/** The forge of a pipeline, about the repository that its pull requests belong to. It asks for its account once. */
export function openForge(send: Send, pipeline: Pipeline, on: Commented = "pull request"): Forge {
  const forge = forgeOf(send, pipeline, on);
  let account: ReturnType<Forge["account"]> | null = null;
  return {
    ...forge,
    account: () => {
      account ??= forge.account();
      return account;
    },
  };
}

function forgeOf(send: Send, { forge, repository, pipeline, commit, token }: Pipeline, on: Commented): Forge {
  switch (forge) {
    case "github":
      return github(send, repository, token?.isOfJob === true);
    case "gitea":
      return gitea(send, repository);
    case "gitlab": {
      const shown = pipeline === null || commit === null ? null : { id: pipeline, commit };
      const commented = on === "issue" ? "issues" : "merge_requests";
      return gitlab(send, { project: repository, pipeline: shown, commented });
    }
    default:
      return forge satisfies never;
  }
}

/** The address that the path of a file at a commit is added to, for links to lines. */
export function linkBaseOf(
  { forge, web, path }: Pick<Pipeline, "forge" | "web" | "path">,
  commit: string,
): string {
  switch (forge) {
    case "github":
      return `${web}/${path}/blob/${commit}/`;
    case "gitea":
      return `${web}/${path}/src/commit/${commit}/`;
    case "gitlab":
      return `${web}/${path}/-/blob/${commit}/`;
    default:
      return forge satisfies never;
  }
}
