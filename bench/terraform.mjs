// remit beside Terraform with the vendor's provider: the same objects, one server, one TLS front, in turn. It needs two
// programs: REMIT_BENCH_TERRAFORM and REMIT_BENCH_PROVIDER name them. node bench/terraform.mjs [--quick|--small]
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { idealCommand } from "./bare.mjs";
import { costOf } from "./cost.mjs";
import { median, row } from "./figure.mjs";
import { startFront } from "./front.mjs";
import { automation, C1, customType, id, onStage } from "./stage.mjs";

const LATENCY = 50;
const TERRAFORM = process.env.REMIT_BENCH_TERRAFORM ?? "";
const PROVIDER = process.env.REMIT_BENCH_PROVIDER ?? "";
const command = fileURLToPath(new URL("../dist/remit.js", import.meta.url));

/** Measures and gives one row per figure; none, with a sentence, where Terraform or the provider is not named. */
export async function figures({ quick = false, small = false } = {}) {
  if (TERRAFORM === "" || PROVIDER === "") {
    console.log(
      "Skipped beside Terraform: REMIT_BENCH_TERRAFORM and REMIT_BENCH_PROVIDER must name the two programs.",
    );
    return [];
  }
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  return onStage(async (stage) => {
    const rows = [];
    for (const objects of OBJECTS)
      for (const width of small ? [10] : [10, 50])
        for (const count of small ? [20] : quick ? [20, 100] : [20, 100, 1_000])
          rows.push(...(await compare(stage, { objects, count, width, rounds: roundsOf(count, quick) })));
    return rows;
  });
}

/** A small run takes so little time that it is measured more often. */
function roundsOf(count, quick) {
  if (quick || count > 100) return 1;
  return count > 20 ? 3 : 6;
}

/** What is made: as a manifest, as a block of Terraform, and what the tenant has before. */
const OBJECTS = [
  {
    name: "automations",
    manifest: automation,
    block: automationBlock,
    tenant: (count) => ({ groups: count }),
  },
  {
    name: "types",
    manifest: customType,
    block: typeBlock,
    tenant: () => ({ apps: 1 }),
  },
];

/** What each tool does in turn: how it is called, what its objects are, and the calls that would be enough. */
const PHASES = [
  { name: "first apply", does: "apply", word: () => "before", ideal: { write: "create", every: 1 } },
  { name: "no change", does: "plan", word: () => "before", ideal: { write: "update", every: 0 } },
  {
    name: "a tenth changed",
    does: "apply",
    word: (number) => (number % 10 === 0 ? "after" : "before"),
    ideal: { write: "update", every: 10, word: "after" },
  },
];

async function compare(stage, { objects, count, width, rounds }) {
  const seen = Object.fromEntries(PHASES.map(({ name }) => [name, { remit: [], terraform: [], ideal: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    const sides = await Promise.all(
      [remit, terraform, bare].map((tool) => start(stage, tool, { objects, count, width, round })),
    );
    for (const phase of PHASES) {
      // Each goes first as often as the others.
      for (let turn = 0; turn < sides.length; turn += 1) {
        const side = sides[(turn + round) % sides.length];
        seen[phase.name][side.name].push(await side.run(phase));
      }
    }
    for (const side of sides) side.close();
  }
  return PHASES.flatMap(({ name }) =>
    rowsOf(`${name}, ${count.toLocaleString("en")} ${objects.name}, ${width} at a time`, seen[name]),
  );
}

/** One tool with a tenant and a folder of its own. */
async function start({ folder, engine, sandbox }, tool, { objects, count, width, round }) {
  const server = await sandbox({ faults: `latency=${LATENCY}`, ...objects.tenant(count) });
  const front = await startFront({ server, engine });
  const cwd = join(folder, `${tool.name}-${objects.name}-${count}-${width}-${round}`);
  mkdirSync(cwd);
  const { CERTIFICATE } = await import(pathToFileURL(engine).href);
  const trusted = join(cwd, "front.pem");
  writeFileSync(trusted, CERTIFICATE.cert);
  // Both tools read these.
  const env = {
    CONDUCTORONE_SERVER_URL: front.url,
    CONDUCTORONE_TENANT_DOMAIN: new URL(front.url).host,
    CONDUCTORONE_ACCESS_TOKEN: "sandbox",
    NODE_EXTRA_CA_CERTS: trusted,
    SSL_CERT_FILE: trusted,
    ...tool.prepare(cwd),
  };
  return {
    name: tool.name,
    async run(phase) {
      tool.write(cwd, (make, between) => many(count, (at) => objects[make](at, phase.word(at)), between));
      await front.calls();
      const argv = tool.command(phase, { objects, count, width, server: front.url });
      const cost = await costOf(argv, { cwd, env });
      return { ...cost, calls: await front.calls() };
    },
    close: front.close,
  };
}

const remit = {
  name: "remit",
  prepare(cwd) {
    writeFileSync(
      join(cwd, "remit.yaml"),
      "manifests: [manifests.yaml]\nguards: { maxChangesPercent: 100 }\n",
    );
    return {};
  },
  write: (cwd, all) => writeFileSync(join(cwd, "manifests.yaml"), all("manifest", "---\n")),
  command: ({ does }, { width }) => [
    process.execPath,
    command,
    does,
    ...(does === "apply" ? ["--yes"] : []),
    ...["--impact", "off", "--concurrency", String(width)],
  ],
};

const terraform = {
  name: "terraform",
  prepare(cwd) {
    const place = join(cwd, "provider");
    mkdirSync(place);
    symlinkSync(resolve(PROVIDER), join(place, "terraform-provider-conductorone"));
    const config = join(cwd, "terraform.rc");
    const overrides = `dev_overrides { "conductorone/conductorone" = ${JSON.stringify(place)} }`;
    writeFileSync(config, `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
    return { TF_CLI_CONFIG_FILE: config, TF_IN_AUTOMATION: "1", CHECKPOINT_DISABLE: "1" };
  },
  write: (cwd, all) => writeFileSync(join(cwd, "main.tf"), `${HEAD}${all("block", "\n")}`),
  command: ({ does }, { width }) => [
    resolve(TERRAFORM),
    does,
    ...(does === "apply" ? ["-auto-approve"] : []),
    ...["-input=false", "-no-color", `-parallelism=${width}`],
  ],
};

const HEAD = `terraform {
  required_providers {
    conductorone = { source = "conductorone/conductorone" }
  }
}

`;

/** The object of `automation` in the configuration language of Terraform. */
function automationBlock(number, word) {
  return `resource "conductorone_app_entitlement_automation" "group_${number}" {
  app_id             = "${C1}"
  app_entitlement_id = "${id("G", number)}"
  display_name       = "Group ${number}"
  description        = "${word}"
  cel = {
    expression = "subject.department == \\"Team ${number}\\""
  }
}
`;
}

/** The object of `customType` in the configuration language of Terraform. */
function typeBlock(number, word) {
  return `resource "conductorone_app_resource_type" "type_${number}" {
  app_id        = "${id("P", 0)}"
  resource_type = "CUSTOM"
  display_name  = "Team ${number} ${word}"
}
`;
}

/** The same calls without a tool: a get of each object, and the writes. */
const bare = {
  name: "ideal",
  prepare: () => ({}),
  write: () => undefined,
  command: ({ ideal }, { objects, count, width, server }) =>
    idealCommand({ server, objects: objects.name, count, width, ...ideal }),
};

function many(count, make, between) {
  return Array.from({ length: count }, (_, at) => make(at)).join(between);
}

const FIGURES = [
  ["wall", "ms", "time"],
  ["cpu", "ms", "CPU time"],
  ["megabytes", "MB", "memory"],
  ["calls", "calls", "calls"],
];

function rowsOf(label, { remit: ours, terraform: theirs, ideal }) {
  return FIGURES.map(([member, unit, what]) => {
    const of = (runs) => Math.round(median(runs.map((run) => run[member])));
    const [mine, other, least] = [ours, theirs, ideal].map(of);
    const beside = `Terraform: ${other}; the same calls with bare got: ${least}`;
    // A first apply of remit reads each object once before it creates it. Terraform does not.
    return row(`${what} of ${label}`, mine, unit, beside, mine / other, member === "calls" || mine < other);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(
    await figures({ quick: process.argv.includes("--quick"), small: process.argv.includes("--small") }),
  );
