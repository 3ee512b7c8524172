// The peak memory of the real command beside the length of the list that it reads for one name. A list that has to be read
// to its end is held as bytes. Each run is beside the same run on a short list. Needs `npm run build`.
// node bench/memory.mjs [--quick]
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { costOf } from "./cost.mjs";
import { row } from "./figure.mjs";
import { C1, onStage } from "./stage.mjs";

const command = fileURLToPath(new URL("../dist/remit.js", import.meta.url));

/** A row is held as its bytes, with places in two indexes. */
const BYTES_PER_ROW = 200;

/** What the heap keeps of replies until it is collected. */
const FLOOR = 50;

/** What names one entitlement in a list that has to be read to its end. */
const READS = [
  { what: "a slug, which no search knows", asked: "full", finder: "{ slug: slug-17 }", ok: [0] },
  {
    what: "an alias on core, where only the list is there",
    asked: "core",
    finder: "{ alias: group-17 }",
    ok: [4],
  },
  { what: "a name that nothing has", asked: "full", finder: "{ name: Gruop 17 }", ok: [5] },
];

/** Measures and gives one row per figure; `quick` reads shorter lists. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const groups = quick ? 100_000 : 1_000_000;
  return onStage(async ({ folder, sandbox }) => {
    const servers = { long: await sandbox({ groups }), short: await sandbox({ groups: 100 }) };
    const rows = [];
    for (const read of READS) {
      const short = await planned(folder, servers.short, read);
      const long = await planned(folder, servers.long, read);
      const most = FLOOR + Math.round((BYTES_PER_ROW * groups) / 1e6);
      const more = long.megabytes - short.megabytes;
      rows.push(
        row(
          `peak for ${read.what}, among ${groups.toLocaleString("en")} entitlements`,
          Math.round(long.megabytes),
          "MB",
          `at most ${most} MB above ${Math.round(short.megabytes)} MB for 100`,
          more / most,
          more <= most,
        ),
        row(`time for the same`, Math.round(long.wall), "ms", null, null, true),
      );
    }
    return rows;
  });
}

async function planned(folder, server, { asked, finder, ok }) {
  const place = join(folder, `memory-${asked}-${finder.replaceAll(/\W/g, "")}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "remit.yaml"), `interface: ${asked}\n`);
  writeFileSync(
    join(place, "one.yaml"),
    `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: one }
spec:
  appId: ${C1}
  appEntitlementId: ${finder}
  displayName: One
  cel: { expression: subject.department == "Sales" }
`,
  );
  const environment = { REMIT_TOKEN: "sandbox", REMIT_SERVER: server };
  return costOf([process.execPath, command, "-C", place, "plan"], { cwd: place, env: environment, ok });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
