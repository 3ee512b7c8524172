import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitOf } from "../../src/cli/commit.js";
import { settle } from "../../src/cli/config.js";
import { exit, interrupted, stopped } from "../../src/cli/exit.js";
import { listenForInterrupts } from "../../src/cli/interrupts.js";
import { main } from "../../src/cli/main.js";
import { phrasesFor } from "../../src/cli/phrases.js";
import { processWorld } from "../../src/cli/process.js";
import { manifestPaths, openProject } from "../../src/cli/project.js";
import type { Signal, World } from "../../src/cli/world.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "remit-config-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const file = (value: Record<string, string | number>) => ({ name: "remit.yaml", value, lineOf: () => 3 });

describe("a setting", () => {
  it.each<[string, Parameters<typeof settle>, number, string]>([
    [
      "a flag",
      [{ concurrency: 1 }, { REMIT_CONCURRENCY: "2" }, file({ concurrency: 3 })],
      1,
      "--concurrency",
    ],
    ["a variable", [{}, { REMIT_CONCURRENCY: "2" }, file({ concurrency: 3 })], 2, "REMIT_CONCURRENCY"],
    ["the project file", [{}, {}, file({ concurrency: 3 })], 3, "remit.yaml:3"],
    [
      "the project file, beside an empty variable",
      [{}, { REMIT_CONCURRENCY: "" }, file({ concurrency: 3 })],
      3,
      "remit.yaml:3",
    ],
    ["the default", [{}, {}, null], 10, "default"],
  ])("comes from %s", (_, given, value, from) => {
    expect(settle(...given).settings.concurrency).toEqual({ value, from });
  });

  it.each([
    [
      { REMIT_SERVER: "https://ours", CONDUCTORONE_SERVER_URL: "https://theirs" },
      "https://ours",
      "REMIT_SERVER",
    ],
    [{ CONDUCTORONE_SERVER_URL: "https://theirs" }, "https://theirs", "CONDUCTORONE_SERVER_URL"],
    [
      { CONDUCTORONE_TENANT_DOMAIN: "larkspur" },
      "https://larkspur.conductor.one",
      "CONDUCTORONE_TENANT_DOMAIN",
    ],
    [
      { CONDUCTORONE_TENANT_DOMAIN: "id.larkspur.example" },
      "https://id.larkspur.example",
      "CONDUCTORONE_TENANT_DOMAIN",
    ],
  ])("of the server comes from the vendor's variables after ours: %o", (env, value, from) => {
    expect(settle({}, env, null).settings.server).toEqual({ value, from });
  });

  it.each(["REMIT_CONCURRENCY", "REMIT_RETRIES", "REMIT_REQUEST_TIMEOUT", "REMIT_INTERFACE"])(
    "that %s gives in another form is a fault, not a guess",
    (name) => {
      expect(settle({}, { [name]: "soon" }, null).faults).toMatchObject([{ name }]);
    },
  );
});

function worldAt(cwd: string): World {
  return { ...processWorld(), cwd, env: {} };
}

describe("a project", () => {
  it("is found from a folder below, up to the checkout's root, and its paths count from there", async () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "reviews/deep"), { recursive: true });
    writeFileSync(join(root, "remit.yaml"), "manifests: [reviews]\n");
    const world = worldAt(join(root, "reviews/deep"));
    const { value } = await openProject(world, {});
    expect(value.root).toBe(root);
    expect(manifestPaths(world, value, [])).toEqual([join(root, "reviews")]);
    expect(manifestPaths(world, value, ["a.yaml", "-"])).toEqual([join(root, "reviews/deep/a.yaml"), "-"]);
  });

  it("is not looked for outside the checkout", async () => {
    writeFileSync(join(root, "remit.yaml"), "server: https://other\n");
    mkdirSync(join(root, "checkout/.git"), { recursive: true });
    const { value } = await openProject(worldAt(join(root, "checkout")), {});
    expect([value.root, value.settings.server.value]).toEqual([join(root, "checkout"), null]);
  });
});

describe("the commit", () => {
  const git = (...argv: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example", ...argv], { cwd: root });

  it("is known where git has one and nothing differs from it", async () => {
    expect(await commitOf(root)).toBeNull();
    git("init", "-q");
    writeFileSync(join(root, "a.yaml"), "");
    git("add", ".");
    git("commit", "-qm", "first");
    expect(await commitOf(root)).toMatch(/^[0-9a-f]{40}$/);
    writeFileSync(join(root, "a.yaml"), "changed");
    expect(await commitOf(root)).toBeNull();
  });
});

describe("an exit code", () => {
  it.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("of %s is %i", (signal, code) => {
    expect(interrupted(signal)).toBe(code);
  });

  it("tells a service in trouble from an invalid manifest", () => {
    const error = (code: string) => ({ code, severity: "error", message: "" }) as const;
    expect(stopped([error("service/unreachable")])).toBe(exit.error);
    expect(stopped([error("service/unreachable"), error("schema/type")])).toBe(exit.invalid);
  });
});

describe("an interrupt", () => {
  it("stops the run at first, leaves at the second, and says what may be unsettled", () => {
    const said: string[] = [];
    let send: (signal: Signal) => void = () => undefined;
    let left: number | null = null;
    const world: World = {
      ...worldAt(root),
      stderr: { isTerminal: false, columns: 80, rows: 24, write: (text) => said.push(text) },
      onSignal: (listener) => {
        send = listener;
        return () => undefined;
      },
      leave: (code) => {
        left = code;
        return undefined as never;
      },
    };
    const view = { say: (text: string) => said.push(text), end: () => said.push("(the view ends)") };
    const { first, signal } = listenForInterrupts(world, view, () => 2);
    send("SIGTERM");
    expect([first.aborted, first.reason, signal(), left]).toEqual([true, "SIGTERM", "SIGTERM", null]);
    send("SIGTERM");
    expect(left).toBe(143);
    expect(said.slice(-2)).toEqual(["(the view ends)", expect.stringContaining("Left with 2 under way")]);
  });
});

describe("a mistake of ours", () => {
  it("is told once, as ours, without the secrets of the environment", () => {
    const phrases = phrasesFor({ REMIT_TOKEN: "nobody-may-see", HOME: "/home/ours" });
    const error = new Error("it broke on nobody-may-see");
    const told = phrases.exceptionWhileRunningCommand(error, false);
    expect(told).toContain("error[internal]: remit made a mistake: Error: it broke on (secret)");
    expect(told).not.toContain("nobody-may-see");
    expect(told.split("it broke on").length).toBe(2);
  });

  it("ends with 1", async () => {
    const written: string[] = [];
    const stderr = { isTerminal: false, columns: 80, rows: 24, write: (text: string) => written.push(text) };
    const broken = {
      ...worldAt(root),
      stderr,
      stdout: {
        ...stderr,
        write: () => {
          throw new Error("no");
        },
      },
    };
    expect(await main(["version"], broken)).toBe(1);
    expect(written.join("")).toContain("remit made a mistake");
  });
});
