import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../src/state/snapshot.js";
import { workplace } from "../examples/workplace.js";
import { BOT, OTHER, PULL, type StandIn } from "../forge/standIn.js";
import { answerIn, type Project, projectIn } from "./questions.js";

/** A question of an auditor: what answers it, which lines are the answer, and what it leaves open. */
export interface AuditQuestion {
  readonly asks: string;
  /** `RUN` stands for the newest run, `DIED` for the one that died, `HEAD` for number and hash of the newest record. */
  readonly argv: readonly string[];
  readonly before?: (project: Project, folder: string) => void;
  /** Each line that answers begins with one of these; all of them where it is empty. */
  readonly answer: readonly string[];
  readonly note: string;
  readonly leavesOpen: string;
}

const VERIFY = ["evidence", "verify", "evidence", "--key", "evidence.pub"];
const GROUPS = "manifests/groups.yaml";
const REVIEWS = "manifests/reviews.yaml";

/** What an auditor asks. */
export const AUDIT: readonly AuditQuestion[] = [
  {
    asks: "Which changes were made in this period?",
    argv: ["history", "--since", "2026-01-05"],
    answer: [],
    note: "Each run that changed something, the newest first. `remit history ADDRESS` shows those of one object.",
    leavesOpen: "What was changed in the tenant without remit is not in it. It shows as drift.",
  },
  {
    asks: "Who approved each of them?",
    argv: VERIFY,
    answer: ["NUMBER", "1 ", "2 ", "3 ", "  1: ", "  2: ", "  3: "],
    note: "The approvals are those that the forge named when the run began. None came after the first call. What is not known fails only where `--require` names it.",
    leavesOpen:
      "remit believes the forge: that an account belongs to a person, and that branch protection asked for the approval, stands there.",
  },
  {
    asks: "Is what was approved what took effect?",
    argv: ["history", "RUN"],
    answer: ["Run", "When", "Commit", "Pull request", "Effect", "Record"],
    note: "The effect is one hash of everything that an apply does. The review pinned it, and the run applied that and nothing else.",
    leavesOpen:
      "The record is of what the service answered to the run. The read back in the evidence shows what the tenant had right after it, not later.",
  },
  {
    asks: "What was changed outside of remit?",
    argv: ["plan", "--refresh-only"],
    before: ({ change }) => change(".remit/sandbox.json", renamed),
    answer: ["Drift:", "~ ", "* ", "≠ ", "! ", "  C1 › Finance", "    ~ displayName"],
    note: "Each difference between the tenant and the last apply. A nightly job keeps the list: [drift.md](drift.md).",
    leavesOpen:
      "A change that was taken back before the plan leaves no trace here. Who made it, only the log of the service says.",
  },
  {
    asks: "Which exceptions are in force, and until when?",
    argv: ["config"],
    before: ({ edit }) => edit("remit.yaml", "manifests: [manifests]", EXCEPTION),
    answer: ["acknowledge ", "ignore "],
    note: "Each exception is an entry of `remit.yaml`, which was reviewed. It has a reason, ends by itself, and every plan shows it.",
    leavesOpen:
      "An exception that someone gave with `--acknowledge` is in the evidence of its run, under `findings`.",
  },
  {
    asks: "Which access does no one review any more?",
    argv: ["plan"],
    before: ({ edit }) =>
      edit(
        REVIEWS,
        "    - { appId: { name: AWS }, appEntitlementId: { alias: aws-production-administrator } }\n",
        "",
      ),
    answer: ["~ update  TemplateScope", "    - entitlements", "    people:", "Review", "People:"],
    note: "A plan counts who leaves a review, apart from who loses access: they keep what they have, and no campaign asks about it again.",
    leavesOpen:
      "Only the reviews that remit manages are counted. Another template may still ask about the same access.",
  },
  {
    asks: "What became of a run that died?",
    argv: ["history", "DIED"],
    answer: ["Run", "What", "When", "Who", "  updated", "  done", "  update"],
    note: "The run that came after it settled its writes by reading the tenant, and recorded it. Both have a record.",
    leavesOpen:
      "The time is when it was settled. What such a run had planned besides its writes is not known.",
  },
  {
    asks: "Is the list complete?",
    argv: [...VERIFY, "--head", "HEAD"],
    answer: ["Records", "Chain", "Tail", "Not known", "  2: ", "Not proved", "Also "],
    note: "Each record names the one before it, so that a gap is found by the files. The head shows that the newest is there.",
    leavesOpen:
      "Take the head from another place than the files: `remit history --format json` of the store, or a note of an earlier audit.",
  },
  {
    asks: "Who could have gone around it?",
    argv: ["doctor"],
    answer: ["Tenant:", "Store:", "NEEDED", "EntitlementAutomation"],
    note: "What these credentials may do in the tenant, and who can change the state. Only the apply job needs the right to write.",
    leavesOpen:
      "remit does not see who else may write to the tenant, to the store, or has the key that signs evidence.",
  },
  {
    asks: "How do I put a run into a ticket?",
    argv: ["history", "RUN", "--format", "markdown"],
    answer: [],
    note: "Markdown for a ticket; `--format json` for programs, by the schema `remit schema history`.",
    leavesOpen: "It has hashes of values, never the values: the commit has those.",
  },
];

const EXCEPTION = `manifests: [manifests]
acknowledge:
  - { guard: lock-out, address: EntitlementAutomation/engineering, until: 2026-03-31, reason: The reorganisation }`;

/** The data of the sandbox after someone renamed an automation in the tenant. */
function renamed(data: string): string {
  return JSON.stringify(
    JSON.parse(data, (_name, value: Record<string, unknown> | null) =>
      value?.displayName === "Finance" && value.cel !== undefined
        ? { ...value, displayName: "Money", updatedAt: "2026-01-07T10:22:00Z" }
        : value,
    ),
  );
}

/** Runs the questions one after the other in one project, whose merges a forge knows; gives each answer with its command. */
export async function auditAnswers(forge: StandIn): Promise<readonly string[]> {
  let today = Date.UTC(2026, 0, 5, 9, 30);
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };
  const { folder, remit, close } = workplace("company", env, 120, () => today);
  const project = projectIn(folder, env);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const commit = () =>
    execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8", env }).trim();

  /** Merges what the folder has, approved by a reviewer, and applies it as the workflow does. */
  async function merged(number: number, reviewer: string): Promise<void> {
    project.git("add", "-A");
    project.git("commit", "-q", "-m", `Merge pull request #${number}`);
    const head = commit();
    const pull = { ...PULL, number, state: "merged", mergeCommit: head, merged: [head] } as const;
    forge.pulls.splice(0, forge.pulls.length, pull);
    const by = { ...OTHER, id: number, login: reviewer };
    forge.reviews.splice(0, forge.reviews.length, { by, state: "APPROVED", at: "2026-01-04T15:04:00Z" });
    await remit("plan", "--out", "plan.json");
    const { effect } = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
    const pipeline = {
      GITHUB_ACTIONS: "true",
      REMIT_SETTINGS_FROM: "HEAD",
      GITHUB_API_URL: forge.url,
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "acme/infra",
      GITHUB_RUN_ID: String(70 + number),
      GITHUB_ACTOR: "olu",
      REMIT_FORGE_TOKEN: BOT.token,
      REMIT_EVIDENCE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    };
    Object.assign(env, pipeline);
    const { code, stdout, stderr } = await remit(
      "apply",
      "--yes",
      "--expect",
      effect,
      "--evidence",
      "evidence",
    );
    for (const name of Object.keys(pipeline)) delete env[name];
    if (code !== 0) throw new Error(`an apply ended with ${code}: ${stdout}${stderr}`);
  }

  try {
    writeFileSync(join(folder, "evidence.pub"), publicKey.export({ type: "spki", format: "pem" }));
    project.write(".gitignore", ".remit/\nplan.json\nevidence*\n");
    project.git("init", "-q", "-b", "main");
    await merged(11, "ines");
    project.edit(GROUPS, "displayName: Engineering", "displayName: Engineers");
    dieWhile(folder, "EntitlementAutomation/engineering", { displayName: "Engineers" });
    today += 2 * DAY;
    await merged(12, "tariq");
    today += DAY;
    const { records, head } = JSON.parse((await remit("history", "--format", "json")).stdout);
    const [run, died] = [records[0].run, records.find((one: { as: string }) => one.as === "recovery")?.run];
    const words: Readonly<Record<string, string>> = {
      RUN: run,
      DIED: died,
      HEAD: `${head.number}:${head.hash}`,
    };
    const found: string[] = [];
    for (const { argv, before, answer } of AUDIT) {
      before?.(project, folder);
      const { stdout, stderr } = await remit(...argv.map((word) => words[word] ?? word));
      const shown =
        answer.length === 0 ? stdout.trimEnd().split("\n") : answerIn(`${stdout}${stderr}`, answer);
      if (shown.length === 0)
        throw new Error(`no line of remit ${argv.join(" ")} answers:\n${stdout}${stderr}`);
      const name = argv.map((word) =>
        word === "HEAD" ? `${head.number}:${head.hash}` : (words[word] ?? word),
      );
      found.push(
        `$ remit ${name.join(" ")}\n${shown.join("\n")}`
          .replaceAll(HASHES, "…")
          .replaceAll(MINUTES, "$1:xx$2")
          .replace(SAVES, "saved … times"),
      );
    }
    return found;
  } finally {
    close();
  }
}

/** Minutes: how long a run waits depends on the machine. The width of a table stays. */
const MINUTES = /([T ]09):\d\d(?::[\d.]+)?(Z| UTC)/g;

/** How often a run saves the state while it waits depends on the machine, too. */
const SAVES = /\bsaved \d+ times?\b/;

const DAY = 24 * 60 * 60 * 1000;

/** Hashes: a secret that each state makes anew is in some of them. */
const HASHES = /\b[0-9a-f]{32,64}\b/g;

/** Leaves the journal of a run that was killed while it wrote one object. */
function dieWhile(folder: string, address: string, change: Readonly<Record<string, string>>): void {
  const state = JSON.parse(readFileSync(join(folder, ".remit", "state.json"), "utf8"));
  const [kind, name] = address.split("/");
  const entries: readonly Entry[] = Object.values(state.entries);
  const entry = entries.find((one) => one.address.name === name);
  if (entry === undefined) throw new Error(`the state has no ${address}`);
  const at = "2026-01-06T11:00:00.000Z";
  const { server, lineage, serial } = state;
  const lines = [
    {
      type: "run",
      formatVersion: 1,
      at,
      run: "name-that-died",
      server,
      lineage,
      effect: `sha256:${"5".repeat(64)}`,
      serial,
    },
    {
      type: "intended",
      at,
      address: { kind, name },
      action: "update",
      key: entry.key,
      identity: {},
      applied: { ...entry.applied, ...change },
      protected: false,
      background: {},
      step: "",
      call: 0,
      of: 1,
      once: false,
    },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, ".remit", "state.json.journal"), text);
}
