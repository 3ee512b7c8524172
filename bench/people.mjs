// What a plan means for people: the time to ask rules about 100,000 users, and the calls of a plan beside their bound.
// node bench/people.mjs [--quick]; needs npm run build.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");
const RULE = 'subject.department == "Engineering"';
const SECOND = 1_000;

/** Measures and gives one row per figure; `quick` takes fewer users. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const rows = await asked(folder, quick ? 10_000 : 100_000, quick ? 1 : 3);
    for (const count of quick ? [1_850] : [1_850, 10_000]) {
      rows.push(...counted(folder, count, "some lose it", `${RULE} && subject.employmentType == "Employee"`));
      rows.push(
        ...counted(folder, count, "few lose it", `${RULE} && subject.jobTitle != "Head of Engineering"`),
      );
      rows.push(...counted(folder, count, "all change", 'subject.department == "Sales"'));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long each of two rules needs for so many users. */
async function asked(folder, count, rounds) {
  /** @type {typeof import("./sources/people.js")} */
  const impact = await loadModule("bench/sources/people.ts", folder);
  const rows = impact.peopleRows({ count, domain: "example.test" });
  const none = { people: [], areAll: false, accounts: new Map(), members: new Map(), groups: new Map() };
  const language = impact.languageFor("User", impact.answersFrom(none), new Date("2026-01-01"));
  const rule = (expression) => impact.conditionOf({ cel: { expression } }, language, new Map());
  const times = Array.from({ length: rounds }, () => {
    const [before, after] = [rule(RULE), rule(`${RULE} && subject.employmentType == "Employee"`)];
    const tally = impact.tallyMembership(before, after, impact.evaluateInTime());
    const started = performance.now();
    for (let at = 0; at < rows.length; at += 100) tally.add(impact.peopleOf(rows.slice(at, at + 100)));
    return (performance.now() - started) / 2;
  });
  const time = median(times);
  const figure = `${count.toLocaleString("en")} users asked, per rule`;
  return [row(figure, Math.round(time), "ms", `at most ${SECOND} ms`, time / SECOND, time <= SECOND)];
}

/** The calls that one plan of one changed rule makes for people, beside their bound. */
function counted(folder, count, what, expression) {
  const project = join(folder, `${count}-${what}`);
  cpSync(join(root, "examples", "company"), project, { recursive: true });
  edit(join(project, "seed.yaml"), /count: \d+/, `count: ${count}`);
  edit(
    join(project, "manifests", "groups.yaml"),
    /expression: subject.department == "Engineering".*/,
    `expression: ${expression}`,
  );
  edit(join(project, "remit.yaml"), "manifests:", "impact: { calls: 100000 }\nmanifests:");
  const argv = [
    command,
    "plan",
    "--target",
    "EntitlementAutomation/engineering",
    "--format",
    "json",
    "--acknowledge",
    "lock-out",
  ];
  const report = JSON.parse(
    execFileSync(process.execPath, argv, { cwd: project, maxBuffer: 1 << 28, encoding: "utf8" }),
  );
  const { gains, loses, keeps, others } = report.steps[0].people.counts;
  const sent = Object.values(report.people.calls).reduce((sum, calls) => sum + calls, 0);
  const users = Math.ceil(report.people.users.read / 100);
  const difference = gains.high + loses.high;
  const grants = (loses.high ?? 0) + (keeps.high ?? 0) + (others.high ?? 0);
  const bound = users + Math.min(difference, Math.ceil(grants / 10)) + 5;
  const figure = `calls for people, ${count.toLocaleString("en")} users, ${what} (${difference} of ${grants} grants)`;
  return [row(figure, sent, "calls", `at most ${bound}`, sent / bound, sent <= bound)];
}

function edit(file, before, after) {
  writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
