import type { Quirks } from "../http/exchange.js";
import { refuse } from "../tenant/reading.js";
import { type Aim, ERROR_STATUSES, type FaultPlan, NO_FAULTS, type Rule } from "./plan.js";

/** What one word of the flag makes: of the number behind its `=`, or the number that stands for none. */
interface Word {
  readonly example: string;
  readonly make: (value: string) => Rule | undefined;
}

const WORDS: ReadonlyMap<string, Word> = new Map([
  ["latency", { example: "latency=20 or latency=10-200", make: latency }],
  ["429", { example: "429=0.1, or 429=0.1:2 with a Retry-After of 2 seconds", make: throttle }],
  ["bucket", { example: "bucket=50/10: 50 a second, a burst of 10", make: bucket }],
  ...ERROR_STATUSES.map((status) => chance(String(status), { fault: "error", status })),
  chance("reset", { fault: "reset" }),
  chance("lost", { fault: "lost" }),
  chance("truncated", { fault: "truncated" }),
  chance("html", { fault: "html" }),
  chance("stray-404", { fault: "html", status: 404 }),
  chance("empty", { fault: "empty" }),
  timed("late=5000", (milliseconds) => ({ fault: "late", milliseconds })),
  chance("expired", { fault: "expired" }),
  timed("slow=500", (milliseconds) => ({ fault: "slow", milliseconds })),
  timed("search-lag=2000", (milliseconds) => ({ fault: "quirks", quirks: { searchLag: milliseconds } })),
  quirk("short-pages", { pages: "short" }),
  quirk("overlong-pages", { pages: "overlong" }),
  quirk("repeated-token", { repeatPageToken: true }),
  quirk("unknown-enums", { unknownEnums: true }),
  quirk("unknown-fields", { unknownFields: true }),
  quirk("rewritten-expressions", { rewriteExpressions: true }),
  quirk("shuffled-lists", { shuffleLists: true }),
  quirk("soft-deleted", { softDeleted: "shown" }),
  quirk("unique-values", { repeatedValues: "refused" }),
  quirk("spacing", { spacing: true }),
  timed("list-lag=2000", (milliseconds) => ({ fault: "quirks", quirks: { listLag: milliseconds } })),
  timed("owners-lag=120000", (milliseconds) => ({ fault: "quirks", quirks: { ownersLag: milliseconds } })),
  quirk("unlisted-automations", { unlistedAutomations: true }),
  quirk("volatile-fields", { volatileFields: true }),
  quirk("later-version", { laterVersion: true }),
  quirk("other-choice", { otherChoice: true }),
  quirk("missing-rows", { missingRows: true }),
  quirk("shifting-pages", { shiftingPages: true }),
  quirk("connector-syncs", { connectorSyncs: true }),
  quirk("kept-edits", { keptEdits: true }),
  quirk("shared-aliases", { sharedAliases: true }),
  quirk("fixed-built-ins", { builtInActions: "refused" }),
  quirk("signatures", { signatures: true }),
  quirk("replaced-automations", { existingAutomation: "replace" }),
]);

/** Reads faults as the flag has them: `429=0.05,403@ListApps,latency=10-200,seed=7`. Throws an `Unreadable`. */
export function parseFaults(flag: string): FaultPlan {
  const items = flag
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
  const seeds = items.filter((item) => item.startsWith(SEED)).map(parseSeed);
  const rules = items.filter((item) => !item.startsWith(SEED)).map(parseItem);
  return { seed: seeds.at(-1) ?? NO_FAULTS.seed, rules };
}

const SEED = "seed=";

function parseSeed(item: string): number {
  return wholeNumber(item.slice(SEED.length)) ?? refuse([], `${item} is not understood; write it as seed=7`);
}

function parseItem(item: string): Rule {
  const [head = "", ...values] = item.split("=");
  const [name = "", ...route] = head.split("@");
  const word = WORDS.get(name);
  if (word === undefined)
    return refuse([], `${name} is not a fault; the faults are ${[...WORDS.keys()].join(", ")}`);
  const rule = word.make(values.join("="));
  if (rule === undefined) return refuse([], `${item} is not understood; write it as ${word.example}`);
  return { ...rule, ...aimOf(item, route) };
}

/** What stands behind an `@`: a path, where `*` stands for any text, or the name of an operation. */
function aimOf(item: string, [route, ...others]: readonly string[]): Aim {
  if (route === undefined) return {};
  if (route === "" || others.length > 0)
    return refuse([], `${item} is not understood; write it as 403@ListApps or 403@/api/v1/apps/*`);
  return route.startsWith("/") ? { path: route } : { operation: route };
}

function chance(name: string, rule: Rule): readonly [string, Word] {
  return [
    name,
    {
      example: `${name}=0.1`,
      make(value) {
        const probability = probabilityIn(value);
        return probability === undefined ? undefined : { ...rule, probability };
      },
    },
  ];
}

function quirk(name: string, quirks: Quirks): readonly [string, Word] {
  return chance(name, { fault: "quirks", quirks });
}

function latency(value: string): Rule | undefined {
  const [from, to] = value.split("-").map(wholeNumber);
  if (from === undefined) return undefined;
  return to === undefined
    ? { fault: "latency", milliseconds: from }
    : { fault: "latency", between: [from, to] };
}

function throttle(value: string): Rule | undefined {
  const [chance = "", wait] = value.split(":");
  const probability = probabilityIn(chance);
  const retryAfter = wholeNumber(wait);
  if (probability === undefined || (wait !== undefined && retryAfter === undefined)) return undefined;
  return { fault: "throttle", probability, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

function bucket(value: string): Rule | undefined {
  const [rate, burst] = value.split("/").map(wholeNumber);
  return rate && burst ? { fault: "bucket", rate, burst } : undefined;
}

/** A word with a number of milliseconds behind its `=`, as the example has it. */
function timed(example: string, rule: (milliseconds: number) => Rule): readonly [string, Word] {
  const [name = ""] = example.split("=");
  const make = (value: string) => {
    const milliseconds = wholeNumber(value);
    return milliseconds === undefined ? undefined : rule(milliseconds);
  };
  return [name, { example, make }];
}

function probabilityIn(value: string): number | undefined {
  if (value === "") return 1;
  return /^(0|1|0?\.\d+|1\.0+)$/.test(value) ? Number(value) : undefined;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
