import { onTestFinished } from "vitest";
import type { Forge, ForgeName } from "../../src/forge/forge.js";
import { dialectFor, openForge } from "../../src/forge/open.js";
import type { Pipeline } from "../../src/forge/pipeline.js";
import { Secret } from "../../src/model/secret.js";
import { makeClient } from "../../src/tenant/client/client.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import { hastyClock } from "../fakes/inside.js";
import { BOT, HEAD, REPOSITORY, type StandIn, type StandInUser } from "./standIn.js";

/** The pipeline of the pull request of a stand-in. */
export function pipelineOf(
  name: ForgeName,
  { url }: Pick<StandIn, "url">,
  user: StandInUser = BOT,
): Pipeline {
  return {
    forge: name,
    api: url,
    web: "https://forge.example",
    repository: name === "gitlab" ? "5" : REPOSITORY,
    path: REPOSITORY,
    commit: HEAD,
    branch: null,
    defaultBranch: "main",
    change: { as: "pull request", number: 41, commit: HEAD, base: "main", isFromFork: false },
    run: "https://forge.example/runs/7",
    pipeline: name === "gitlab" ? 1010 : null,
    token: { secret: new Secret(user.token), isOfJob: false },
  };
}

/** Speaks with a stand-in over HTTP. */
export function connectTo(pipeline: Pipeline): Forge {
  const { token } = pipeline;
  const client = makeClient({
    server: pipeline.api,
    credentials: token === null ? null : { as: "bearer", token: token.secret, from: ["REMIT_FORGE_TOKEN"] },
    dialect: dialectFor(pipeline),
    clock: hastyClock(1000),
    random: () => 0.5,
    width: 4,
    retries: 2,
    requestTimeout: 5000,
    userAgent: "test",
    proxies: NO_PROXIES,
  });
  onTestFinished(() => client.close());
  return openForge(client.send, pipeline);
}
