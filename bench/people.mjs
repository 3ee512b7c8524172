// What a plan means for people: the time to ask rules about 100,000 users, and the calls of a plan beside their bound.
// A ratio is the median of pairs: both sides of a pair are measured one after the other.
// node bench/people.mjs [--quick]; needs npm run build.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");
const RULE = 'subject.department == "Engineering"';
const SECOND = 1_000;
/** As a plan asks: so many people at once. */
const AT_ONCE = 1_000;
const BULK_BOUND = 4;
/** The number of grants, the exclusions, the user of the credentials, and members whom the list of users left out. */
const BESIDE = 4;
/** So many pages of the members of an edited rule are read beside the users. */
const PAGES_AHEAD = 8;
/** A plan with people beside the same plan without. */
const WAIT_BOUND = 1.3;
const LATENCIES = [50, 500];
/** Which rules of a plan were edited since the last apply: with four pages of holders, and with one. */
const EDITED = [
  ["a large and a small rule", "Engineering", "Legal"],
  ["two small rules", "Legal", "Design"],
];

/** Measures and gives one row per figure; `quick` takes fewer users. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  try {
    const rows = await asked(folder, quick ? 10_000 : 100_000, quick ? 1 : 3);
    rows.push(await inBulk(folder, { users: 20_000, rules: 200, rounds: 3 }));
    rows.push(await inBulk(folder, { users: quick ? 20_000 : 100_000, rules: 20, rounds: 3 }));
    for (const count of quick ? [1_850] : [1_850, 10_000]) {
      rows.push(...counted(folder, count, "some lose it", `${RULE} && subject.employmentType == "Employee"`));
      rows.push(
        ...counted(folder, count, "few lose it", `${RULE} && subject.jobTitle != "Head of Engineering"`),
      );
      rows.push(...counted(folder, count, "all change", 'subject.department == "Sales"'));
    }
    for (const latency of LATENCIES) rows.push(...(await waited(folder, latency, quick ? 3 : 9)));
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

/** The CPU time of many changed rules over all users, beside the bare parse of the same pages. */
async function inBulk(folder, { users, rules, rounds }) {
  /** @type {typeof import("./sources/people.js")} */
  const impact = await loadModule("bench/sources/people.ts", folder);
  const all = impact.peopleRows({ count: users, domain: "example.test" });
  const pages = Array.from({ length: Math.ceil(users / 100) }, (_, at) =>
    JSON.stringify(all.slice(at * 100, (at + 1) * 100)),
  );
  const none = { people: [], areAll: false, accounts: new Map(), members: new Map(), groups: new Map() };
  const language = impact.languageFor("User", impact.answersFrom(none), new Date("2026-01-01"));
  const rule = (expression) => impact.conditionOf({ cel: { expression } }, language, new Map());
  const evaluate = impact.evaluateInTime();
  const runs = Array.from({ length: rounds }, () => ({
    bare: cpuOf(() => pages.map((page) => JSON.parse(page).length)),
    rules: cpuOf(() => {
      const listed = new Set();
      const tallies = Array.from({ length: rules }, (_, at) => {
        const [before, after] = [
          rule(`subject.department == "Team ${at}"`),
          rule(`${RULE} && subject.employmentType == "Type ${at}"`),
        ];
        return impact.tallyMembership(before, after, evaluate, listed);
      });
      for (let at = 0; at < pages.length; at += AT_ONCE / 100) {
        const people = impact.peopleOf(
          pages.slice(at, at + AT_ONCE / 100).flatMap((page) => JSON.parse(page)),
        );
        for (const { id } of people) listed.add(id);
        for (const tally of tallies) tally.addListed(people);
      }
    }),
  }));
  const [ours, bare] = [median(runs.map((run) => run.rules)), median(runs.map((run) => run.bare))];
  const ratio = median(runs.map((run) => run.rules / run.bare));
  const figure = `CPU of ${rules} changed rules over ${users.toLocaleString("en")} users`;
  const bound = `at most ${BULK_BOUND} of the bare parse of the same pages (${Math.round(bare)} ms)`;
  return row(figure, Math.round(ours), "ms", bound, ratio, ratio <= BULK_BOUND);
}

function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
  // Each page of a list but the last is read twice.
  const twice = (pages) => 2 * Math.max(1, pages) - 1;
  const users = twice(Math.ceil(report.people.users.read / 100));
  const difference = gains.high + loses.high;
  const grants = (loses.high ?? 0) + (keeps.high ?? 0) + (others.high ?? 0);
  const ahead = twice(Math.min(PAGES_AHEAD, Math.ceil(grants / 100)));
  const bound = users + Math.max(ahead, Math.min(difference, twice(Math.ceil(grants / 100)))) + BESIDE;
  const figure = `calls for people, ${count.toLocaleString("en")} users, ${what} (${difference} of ${grants} grants)`;
  return [row(figure, sent, "calls", `at most ${bound}`, sent / bound, sent <= bound)];
}

const DEPARTMENTS =
  "Engineering,IT,Platform,Security,Data,Clinical Operations,Finance,People,Sales,Support,Legal,Marketing,Product,Design,Nursing,Pharmacy,Billing,Facilities,Procurement,Research".split(
    ",",
  );

/** The time of a plan of 20 rules, a tenth of them changed, with people and without, in turn. */
async function waited(folder, latency, rounds) {
  const project = join(folder, `waited-${latency}`);
  mkdirSync(join(project, "manifests"), { recursive: true });
  const alias = (department) => `c1-unit-${department.toLowerCase().replaceAll(" ", "-")}-member`;
  const lines = (make) => DEPARTMENTS.map((department) => make(department)).join("");
  const seed = readFileSync(join(root, "examples", "company", "seed.yaml"), "utf8")
    .replace("        resources:\n", `$&${lines((one) => `          - Unit ${one}\n`)}`)
    .replace(
      "\nautomations:\n",
      `$&${lines((one) => `  - { entitlement: C1/${alias(one)}, name: Unit ${one}, cel: 'subject.department == "${one}"' }\n`)}`,
    )
    .replace(
      "\nmembers:\n",
      `$&${lines((one) => `  - { entitlement: C1/${alias(one)}, departments: [${one}], byHand: 2 }\n`)}`,
    );
  writeFileSync(join(project, "seed.yaml"), seed);
  writeFileSync(join(project, "remit.yaml"), "manifests: [manifests]\n");
  const manifest = (department, at, isEdited) => `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: unit-${at} }
spec:
  appId: { name: C1 }
  appEntitlementId: { alias: ${alias(department)} }
  displayName: Unit ${department}
  cel:
    expression: subject.department == "${department}"${isEdited ? ' && subject.employmentType == "Employee"' : ""}
`;
  const write = (edited) => {
    const manifests = DEPARTMENTS.map((department, at) =>
      manifest(department, at, edited.includes(department)),
    );
    writeFileSync(join(project, "manifests", "units.yaml"), manifests.join("---\n"));
  };
  const argv = ["sandbox", "--seed", "seed.yaml", "--port", "0", "--faults", `latency=${latency}`];
  const sandbox = spawn(process.execPath, [command, ...argv], {
    cwd: project,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [address] = await once(sandbox.stdout, "data");
    const env = { ...process.env, REMIT_SERVER: String(address).trim(), REMIT_TOKEN: "sandbox" };
    const time = (impact) => {
      const started = performance.now();
      execFileSync(process.execPath, [command, "plan", "--impact", impact], { cwd: project, env });
      return performance.now() - started;
    };
    write([]);
    execFileSync(process.execPath, [command, "apply", "--yes", "--impact", "off"], { cwd: project, env });
    return EDITED.map(([which, ...edited]) => {
      write(edited);
      const pairs = Array.from({ length: rounds }, (_, round) =>
        round % 2 === 0 ? { off: time("off"), auto: time("auto") } : { auto: time("auto"), off: time("off") },
      );
      const [auto, off] = [median(pairs.map((pair) => pair.auto)), median(pairs.map((pair) => pair.off))];
      const ratio = median(pairs.map((pair) => pair.auto / pair.off));
      const figure = `a plan with people of ${DEPARTMENTS.length} objects, ${which} changed, at ${latency} ms`;
      const bound = `at most ${WAIT_BOUND} of the same plan without people (${Math.round(off)} ms)`;
      return row(figure, Math.round(auto), "ms", bound, ratio, ratio <= WAIT_BOUND);
    });
  } finally {
    sandbox.kill();
  }
}

function edit(file, before, after) {
  writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
