import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectName } from "../../../src/cli/settings/projectName.js";
import { resolveSettings } from "../../../src/cli/settings/whoDecides.js";
import { NO_CONTEXTS } from "../../../src/manifest/contexts.js";
import { makeCheckout } from "../../fakes/checkout.js";

const { settings } = resolveSettings({}, {}, null);

async function nameOf(remotes: Readonly<Record<string, string>>, folder = "") {
  const { root, git, env } = makeCheckout();
  for (const [name, url] of Object.entries(remotes)) git("remote", "add", name, url);
  mkdirSync(join(root, folder), { recursive: true });
  return projectName({ env }, { root: join(root, folder), settings, contexts: NO_CONTEXTS });
}

describe("the name of a project", () => {
  it.each([
    "https://github.com/acme/access.git",
    "https://ada:hidden@GitHub.com/acme/access",
    "https://gitlab-ci-token:hidden@github.com:443/acme/access.git/",
    "git@github.com:acme/access.git",
    "ssh://git@github.com:7999/acme/access.git",
    "github.com:/acme/access",
  ])("is host and path of the remote, without user, port and .git: %s", async (url) => {
    expect(await nameOf({ origin: url })).toBe("github.com/acme/access");
  });

  it("has the folder of the project", async () => {
    const url = "https://github.com/acme/access.git";
    expect(await nameOf({ upstream: url }, "tenants/prod")).toBe("github.com/acme/access//tenants/prod");
  });

  it("is that of origin among several, and unknown where none is", async () => {
    const [fork, own] = ["git@example.com:ada/access.git", "git@example.com:acme/access.git"];
    expect(await nameOf({ fork, origin: own })).toBe("example.com/acme/access");
    expect(await nameOf({ fork, upstream: own })).toBeNull();
    expect(await nameOf({})).toBeNull();
    expect(await nameOf({ origin: "ext::sh -c id" })).toBeNull();
  });

  it("is the path of a remote on this machine", async () => {
    expect(await nameOf({ origin: "/srv/git/access.git" })).toBe("/srv/git/access");
  });

  it("is what remit.yaml says, where it says one", async () => {
    const { root, git, env } = makeCheckout();
    git("remote", "add", "origin", "https://github.com/acme/access.git");
    const project = { value: "acme-access", from: "remit.yaml:1", by: "working tree" } as const;
    expect(
      await projectName({ env }, { root, settings: { ...settings, project }, contexts: NO_CONTEXTS }),
    ).toBe("acme-access");
  });

  it("ends with the context, also where nothing else names the project", async () => {
    const contexts = { ...NO_CONTEXTS, current: "staging" };
    const { root, git, env } = makeCheckout();
    expect(await projectName({ env }, { root, settings, contexts })).toBe("#staging");
    git("remote", "add", "origin", "https://github.com/acme/access.git");
    expect(await projectName({ env }, { root, settings, contexts })).toBe("github.com/acme/access#staging");
    const project = { value: "acme-access", from: "remit.yaml:1", by: "working tree" } as const;
    expect(await projectName({ env }, { root, settings: { ...settings, project }, contexts })).toBe(
      "acme-access#staging",
    );
  });
});
