import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workplace } from "../examples/workplace.js";

/** A question of a reviewer: the command that answers it, what was done before, and which lines are the answer. */
export interface Question {
  readonly asks: string;
  /** `EFFECT` stands for the effect of the plan that was reviewed first. */
  readonly argv: readonly string[];
  /** What happens in the project or the tenant first; without it, a command that was run before is not run again. */
  readonly before?: (project: Project) => void;
  /** Each line that answers begins with one of these, and so do the lines that go on from it. */
  readonly answer: readonly string[];
  readonly note: string;
}

/** The project of `examples/company` in a checkout of git, whose main branch is applied. */
export interface Project {
  readonly edit: (file: string, before: string, after: string) => void;
  readonly change: (file: string, how: (text: string) => string) => void;
  readonly write: (file: string, text: string) => void;
  readonly git: (...argv: readonly string[]) => void;
}

const RULE = 'subject.department == "Engineering" && subject.employmentType == "Employee"';
const ENGINEERING = "EntitlementAutomation/engineering";
const GROUPS = "manifests/groups.yaml";

/** The data of the sandbox after someone renamed an automation in the tenant, at a time that is always the same. */
function renameFinance(data: string): string {
  return JSON.stringify(
    JSON.parse(data, (_name, value: Record<string, unknown> | null) =>
      value?.displayName === "Finance" && value.cel !== undefined
        ? { ...value, displayName: "Money", updatedAt: "2026-01-02T10:22:00Z" }
        : value,
    ),
  );
}

/** What a person who reviews a change of access asks. */
export const QUESTIONS: readonly Question[] = [
  {
    asks: "Who gains?",
    argv: ["plan", "--since", "main", "--out", "plan.json"],
    answer: ["~ update  EntitlementAutomation/engineering", "    people: 0 gain it"],
    note: "Every change of a rule has a line for people. No one gains access by this one.",
  },
  {
    asks: "Who loses?",
    argv: ["impact", ENGINEERING, "--people"],
    answer: ["EntitlementAutomation/engineering:", "  lose it:"],
    note: "Names are personal data, so a pipe or a log shows them only with `--people`. A terminal shows them.",
  },
  {
    asks: "Why?",
    argv: ["impact", ENGINEERING, "--user", "zoe.khan.846@larkspur.example"],
    answer: [
      "EntitlementAutomation/engineering:",
      "  rule before:",
      "  rule after:",
      "  has it now:",
      "  excluded:",
    ],
    note: "For one person: what each rule says of them, and whether they have it now.",
  },
  {
    asks: "Which line?",
    argv: ["plan", "--since", "main"],
    answer: ["  C1 › Engineering", "    ~ cel.expression:", '        subject.department == "Engineering"{+'],
    note: "The line of the manifest, the words that changed, the commit and its author.",
  },
  {
    asks: "Who changed it in the tenant?",
    argv: ["plan"],
    before: ({ change }) => change(".remit/sandbox.json", renameFinance),
    answer: ["Drift:", "~ update  EntitlementAutomation/finance", "  C1 › Finance", "    ~ displayName"],
    note: "What was changed in the tenant stands apart from what this change does, with the time of the last change. The service does not say who it was.",
  },
  {
    asks: "What was not seen?",
    argv: ["plan", "--since", "main"],
    before: ({ edit, write }) => {
      write("faults.yaml", "rules:\n  - { fault: error, status: 403, path: '*/search/users' }\n");
      edit("remit.yaml", "{ seed: seed.yaml }", "{ seed: seed.yaml, faults: faults.yaml }");
    },
    answer: ["    people:", "People unknown:", "People not counted:"],
    note: "Here the token may not read users. It still plans, and the plan names each read that failed, with the answer.",
  },
  {
    asks: "What is risky?",
    argv: ["plan", "--since", "main"],
    before: ({ edit, write }) => {
      write("faults.yaml", "rules: []\n");
      edit("remit.yaml", "manifests: [manifests]", "manifests: [manifests]\nguards: { maxLosing: 20 }");
    },
    answer: ["Guards:", "  ! ", "    ="],
    note: "Steps are ordered by risk. A guard stops the apply until someone acknowledges it; here, `guards.maxLosing` is 20.",
  },
  {
    asks: "What if it fails halfway?",
    argv: ["apply", "--yes", "-q"],
    before: ({ git, write }) => {
      git("checkout", "-q", "HEAD~", "--", GROUPS);
      const path = "*/ZT6k6O5bgx0Hl84jsy55UV3QUHX/automation/update";
      write("faults.yaml", `rules:\n  - { fault: error, status: 403, path: '${path}' }\n`);
    },
    answer: ["✓", "✗", "Next:", "Applied"],
    note: "What was done is recorded, and each failure has its reason. The next apply does only the rest. So it is after a kill.",
  },
  {
    asks: "How many calls, and how long?",
    argv: ["plan", "--since", "main"],
    answer: ["Calls:"],
    note: "Reads to plan are those that were made. Writes are counted from the steps, and an apply reports as many; the time is measured from the replies.",
  },
  {
    asks: "Is this what was reviewed?",
    argv: ["apply", "--since", "main", "--expect", "EFFECT", "--yes"],
    before: ({ edit, git }) => {
      edit("remit.yaml", "\nguards: { maxLosing: 20 }", "");
      edit(GROUPS, '"Employee"', '"Intern"');
      git("commit", "-q", "-a", "-m", "One more thing");
    },
    answer: ["error[plan/unexpected]", "  ="],
    note: "A review pins the effect, one hash of everything that an apply does. The branch was edited after it, so nothing is applied.",
  },
];

/** The order in which the questions are run: an apply comes last. */
const TURNS = [0, 1, 2, 3, 8, 4, 5, 6, 9, 7];

/** Runs the questions one after the other in one project; gives the answer of each, with its command. */
export async function answers(): Promise<readonly string[]> {
  const env = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };
  const { folder, remit, close } = workplace("company", env, 120);
  const project = projectIn(folder, env);
  const seen = new Map<string, string>();
  const found: string[] = [];
  try {
    project.edit(GROUPS, RULE, 'subject.department == "Engineering"');
    project.write(".gitignore", ".remit/\nplan.json\n");
    project.git("init", "-q", "-b", "main");
    project.git("add", "-A");
    project.git("commit", "-q", "-m", "The groups as they are");
    await remit("apply", "--yes");
    project.git("checkout", "-q", "-b", "contractors");
    project.edit(GROUPS, 'subject.department == "Engineering"', RULE);
    project.git("commit", "-q", "-a", "-m", "Contractors leave engineering");
    for (const turn of TURNS) {
      const question = QUESTIONS[turn];
      if (question === undefined) throw new Error("each turn has a question");
      found[turn] = await ask(question);
    }
    return found;
  } finally {
    close();
  }

  async function ask({ argv, before, answer }: Question): Promise<string> {
    const name = argv.join(" ");
    before?.(project);
    const known = before === undefined ? seen.get(name) : undefined;
    const output = known ?? (await run(argv));
    seen.set(name, output);
    const shown = answerIn(output, answer);
    if (shown.length === 0) throw new Error(`no line of remit ${name} answers:\n${output}`);
    return `$ remit ${name.replace("EFFECT", "sha256:…")}\n${shown.join("\n")}`.replaceAll(MADE_UP, "$1…");
  }

  async function run(argv: readonly string[]): Promise<string> {
    const effect = argv.includes("EFFECT") ? effectOf(join(folder, "plan.json")) : "";
    const { stdout, stderr } = await remit(...argv.map((word) => (word === "EFFECT" ? effect : word)));
    return `${stdout}${stderr}`;
  }
}

/** What is made up anew in each run, and hashes. */
const MADE_UP = /(sha256:|request )[0-9a-f]{32,64}/g;

function effectOf(file: string): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly effect: string }).effect;
}

/** The lines that answer, and those that go on from them: they are indented more. */
export function answerIn(output: string, starts: readonly string[]): readonly string[] {
  let depth = Number.POSITIVE_INFINITY;
  return output.split("\n").filter((line) => {
    const own = line.length - line.trimStart().length;
    const isStart = starts.some((start) => line.startsWith(start));
    if (isStart) depth = own;
    const goesOn = line !== "" && own > depth && /^\s+[^\s~+\-!=]/.test(line);
    if (!isStart && !goesOn) depth = Number.POSITIVE_INFINITY;
    return isStart || goesOn;
  });
}

/** The project of a folder, whose commits are always the same. */
export function projectIn(folder: string, env: Readonly<Record<string, string>>): Project {
  const who = { GIT_AUTHOR_NAME: "Olu Adeyemi", GIT_AUTHOR_EMAIL: "olu@larkspur.example" };
  const dates = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };
  const committer = { GIT_COMMITTER_NAME: "Olu Adeyemi", GIT_COMMITTER_EMAIL: "olu@larkspur.example" };
  const change: Project["change"] = (file, how) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const changed = how(text);
    if (changed === text) throw new Error(`${file} does not change`);
    writeFileSync(path, changed);
  };
  return {
    edit: (file, before, after) => change(file, (text) => text.replace(before, after)),
    change,
    write: (file, text) => writeFileSync(join(folder, file), text),
    git(...argv) {
      execFileSync("git", argv, {
        cwd: folder,
        env: { ...env, ...who, ...dates, ...committer },
        stdio: "ignore",
      });
    },
  };
}
