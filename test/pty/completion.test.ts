import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSnapshot } from "../../src/state/snapshot.js";
import { type RemitOnPath, remitOnPath } from "../fakes/remitOnPath.js";
import { stateText } from "../fakes/stateText.js";
import { openTerminal, type Terminal } from "./terminal.js";

let inside: RemitOnPath;
let cwd: string;
let env: Record<string, string>;

beforeAll(async () => {
  inside = await remitOnPath();
  cwd = mkdtempSync(join(tmpdir(), "remit-shells-"));
  writeFileSync(join(cwd, "quarterly plan.json"), "{}");
  writeFileSync(join(cwd, "types.yaml"), TYPES);
  mkdirSync(join(cwd, ".remit"));
  writeFileSync(join(cwd, ".remit/state.json"), STATE);
  env = { PATH: `${inside.folder}:${process.env.PATH}` };
});
afterAll(async () => {
  await inside.close();
  rmSync(cwd, { recursive: true });
});

const TYPES = ["team", "role-of-team"]
  .map((name) => `apiVersion: remit/v1\nkind: ResourceType\nmetadata: { name: ${name} }\n---\n`)
  .join("");

const GONE = {
  address: { kind: "ResourceType", name: "group.v2" },
  key: ["app", "type"],
  applied: {},
  answered: null,
  rewritten: [],
  at: "",
  protected: false,
};
const FORMER = {
  ...GONE,
  address: { kind: "ResourceType", name: "squad" },
  key: ["app", "old"],
  former: true,
};
const STATE = stateText(
  {
    ...newSnapshot("lineage", "sandbox"),
    serial: 1,
    entries: { "ResourceType:app/type": GONE, "ResourceType:app/old": FORMER },
  },
  "0.1.0",
);

/** What is typed before Tab, and what stands there after it. */
const WORDS: readonly (readonly [typed: string, completed: string])[] = [
  ["remit val", "remit validate "],
  ["remit plan --refr", "remit plan --refresh-only "],
  ["remit plan --format mark", "remit plan --format markdown "],
  ["remit plan --format=mark", "remit plan --format=markdown "],
  ["remit plan --report mark", "remit plan --report markdown="],
  ["remit plan --report markdown=qu", "remit plan --report markdown=quarterly\\ plan.json "],
  ["remit state forg", "remit state forget "],
  ["remit plan --target ResourceType/t", "remit plan --target ResourceType/team "],
  ["remit plan --target ResourceType/s", "remit plan --target ResourceType/squad@app/old "],
  ["remit plan --target ResourceType/squad@", "remit plan --target ResourceType/squad@app/old "],
  ["remit apply --target=ResourceType/squad@a", "remit apply --target=ResourceType/squad@app/old "],
  ["remit state forget ResourceType/squad@app/", "remit state forget ResourceType/squad@app/old "],
  ["remit apply --target=ResourceType/r", "remit apply --target=ResourceType/role-of-team "],
  ["remit state show ResourceType/g", "remit state show ResourceType/group.v2 "],
  ["remit state forget ResourceType/g", "remit state forget ResourceType/group.v2 "],
  ["remit schema Templ", "remit schema TemplateScope "],
  ["remit completion fi", "remit completion fish "],
  ["remit show qu", "remit show quarterly\\ plan.json "],
];

/** Ends the answers to one word. */
const END = "(end)";
const FISH = "remit completion fish | source; ";

interface Shell {
  readonly program: string;
  readonly argv: readonly string[];
  readonly begin: readonly string[];
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    program: "bash",
    argv: ["--norc", "--noprofile", "-i"],
    begin: ["bind 'set enable-bracketed-paste off'", "source <(remit completion bash)"],
  },
  zsh: {
    program: "zsh",
    argv: ["-f", "-i"],
    begin: [
      "unset zle_bracketed_paste; unsetopt prompt_sp auto_param_slash; autoload -U compinit; compinit -u -D",
      "source <(remit completion zsh)",
    ],
  },
};

/** What the shell prints; what it draws while the line is edited has escapes in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what tells the two apart
const PRINTED = /<(remit [^<>%\u001b]*)>/;

describe.each(Object.keys(SHELLS))("%s", (name) => {
  const shell = SHELLS[name];
  if (shell === undefined) throw new Error(`${name} is no shell`);

  /** One terminal for all words: a shell starts and reads the script once, as a person's does. */
  let terminal: Terminal | null = null;
  beforeAll(async () => {
    if (!isThere(shell.program)) return;
    terminal = openTerminal(shell.program, shell.argv, { cwd, env, columns: 200 });
    for (const line of [...shell.begin, "echo beg''un"]) terminal.pty.write(`${line}\n`);
    await terminal.until("begun\r\n");
  });
  afterAll(() => terminal?.pty.kill("SIGKILL"));

  test.skipIf(!isThere(shell.program)).each(WORDS)("completes %s", async (typed, completed) => {
    const before = terminal?.seen().length;
    // Once completed, the line is put in quotes (from its beginning, to its end) and printed instead of run.
    terminal?.pty.write(`${typed}\t\u0001printf '<%s>' '\u0005'\n`);
    await terminal?.until(PRINTED);
    const [, line] = PRINTED.exec(terminal?.seen().slice(before) ?? "") ?? [];
    expect(line?.trimEnd()).toBe(completed.trimEnd());
  });
});

describe("fish", () => {
  let proposals: readonly (readonly string[])[] = [];
  beforeAll(async () => {
    if (!isThere("fish")) return;
    const asked = WORDS.map(([typed]) => `complete -C '${typed}'; echo '${END}'`);
    const { stdout } = await promisify(execFile)("fish", ["--no-config", "-c", FISH + asked.join("; ")], {
      cwd,
      env: { ...env, HOME: cwd },
    });
    proposals = stdout
      .split(`${END}\n`)
      .map((lines) => lines.split("\n").map((line) => line.split("\t")[0] ?? ""));
  }, 60_000);

  test.skipIf(!isThere("fish")).each(WORDS)("completes %s", (typed, completed) => {
    const at = WORDS.findIndex(([one]) => one === typed);
    const [word = ""] = completed.replace(/ $/, "").match(/(?:\\.|[^ ])+$/) ?? [];
    expect(proposals[at]).toContain(word.replaceAll("\\", ""));
  });
});

test("at least bash is there", () => {
  expect(isThere("bash")).toBe(true);
});

function isThere(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
