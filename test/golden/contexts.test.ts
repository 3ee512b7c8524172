import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { expectFace, face, type Given } from "./harness.js";

const FACES = join(import.meta.dirname, "contexts");
const EFFECT = `sha256:${"0123456789abcdef".repeat(4)}`;

const TWO = `contexts:
  eu: { server: https://eu.conductor.example, state: "git:#eu" }
  us: { server: https://us.conductor.example, state: "s3://acme-state/us.json" }
`;

/** A checkout with this project file, and with this remote. */
const checkout = (file: string, remote: string | null = "git@github.com:acme/access.git"): Given => ({
  env: { PATH: process.env["PATH"] ?? "" },
  prepare(cwd) {
    writeFileSync(join(cwd, "remit.yaml"), file);
    if (remote === null) return;
    execFileSync("git", ["init", "--quiet"], { cwd });
    execFileSync("git", ["remote", "add", "origin", remote], { cwd });
  },
});

const kubernetes = (...more: readonly string[]) => ["contexts", "--format", "kubernetes", ...more];

describe("remit contexts --format kubernetes", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["plans", kubernetes(), checkout(TWO)],
    [
      "flags",
      kubernetes("--namespace", "access", "--image", "registry.example/access:7", "--window", "22:30-01:30", "--source", "image"),
      checkout(TWO),
    ],
    ["apply", kubernetes("--apply", "--expect", `us=${EFFECT}`, "--merged-at", "2026-01-31T12:00:00Z"), checkout(TWO)],
    ["no-contexts", kubernetes(), checkout('server: https://eu.conductor.example\nstate: "git:"\n')],
    ["sandbox", kubernetes(), checkout("server: sandbox\n", null)],
    ["name", kubernetes(), checkout('contexts:\n  eu-: { server: https://eu.conductor.example, state: "git:#eu" }\n')],
    [
      "one-identity",
      kubernetes(),
      checkout('contexts:\n  eu: { server: https://eu.example, state: "git:#a" }\n  us: { server: https://EU.example, state: "git:#b" }\n'),
    ],
    ["no-server", kubernetes(), checkout("contexts:\n  eu: {}\n")],
    ["window-empty", kubernetes("--window", "03:00-03:00"), checkout(TWO)],
    ["window-bad", kubernetes("--window", "3-5"), checkout(TWO)],
    ["effect-bad", kubernetes("--apply", "--expect", "eu=sha256:12"), checkout(TWO)],
    ["effect-none", kubernetes("--apply"), checkout(TWO)],
    ["effect-twice", kubernetes("--apply", "--expect", `eu=${EFFECT}`, "--expect", `eu=${EFFECT}`), checkout(TWO)],
    ["effect-unknown", kubernetes("--apply", "--expect", `ue=${EFFECT}`), checkout(TWO)],
    ["effect-without-apply", kubernetes("--expect", `eu=${EFFECT}`), checkout(TWO)],
    ["merged-at-without-apply", kubernetes("--merged-at", "2026-01-31T12:00:00Z"), checkout(TWO)],
    ["window-of-apply", kubernetes("--apply", "--expect", `eu=${EFFECT}`, "--window", "01:00-02:00"), checkout(TWO)],
    ["namespace-bad", kubernetes("--namespace", "Access"), checkout(TWO)],
    ["image-bad", kubernetes("--image", "an image"), checkout(TWO)],
    ["no-remote", kubernetes("--source", "git"), checkout(TWO, "/srv/access")],
    ["other-format", ["contexts", "--window", "01:00-02:00"], checkout(TWO)],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(FACES, `${name}.face`), await face(null, argv, given));
  });

  test("is the same for a remote over ssh and over https, and again", async () => {
    const seen = new Set<string>();
    for (const remote of ["git@github.com:acme/access.git", "ssh://git@github.com/acme/access.git", "https://github.com/acme/access.git", "https://github.com/acme/access.git"])
      seen.add(await face(null, kubernetes(), checkout(TWO, remote)));
    expect(seen.size).toBe(1);
  });

  test("spreads 300 contexts over the window, at most 8 in a minute, and never moves one", async () => {
    const contexts = Array.from({ length: 300 }, (_, at) => `  t${at}: { server: https://t${at}.example, state: "git:#t${at}" }\n`);
    const schedules = async (some: readonly string[]) => {
      const text = await face(null, kubernetes(), checkout(`contexts:\n${some.join("")}`));
      const documents = parseAllDocuments(text.slice(text.indexOf("apiVersion"))).map((one) => one.toJS());
      return new Map<string, string>(
        documents.filter(({ kind }) => kind === "CronJob").map(({ metadata, spec }) => [metadata.name, spec.schedule]),
      );
    };
    const all = await schedules(contexts);
    expect(all.size).toBe(300);
    const starts = [...all.values()].map((schedule) => {
      const [minute = "", hour = ""] = schedule.split(" ");
      return Number(hour) * 60 + Number(minute);
    });
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...starts)).toBeLessThan(300);
    const counts = starts.map((one) => starts.filter((other) => other === one).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    const few = await schedules(contexts.slice(100, 110));
    for (const [name, schedule] of few) expect(all.get(name)).toBe(schedule);
  });
});
