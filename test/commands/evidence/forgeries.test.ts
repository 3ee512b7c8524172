import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealEnvelope } from "../../../src/commands/evidence/envelope.js";
import { type EvidenceFile, type Judging, verifyEvidence } from "../../../src/commands/evidence/judge.js";
import {
  NOTHING_MORE,
  type Requirements,
  readRequirements,
} from "../../../src/commands/evidence/requirements.js";
import { canonical } from "../../../src/model/json.js";
import { sealOfText } from "../../../src/plan/saved/spelling.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { hashOfRecord } from "../../../src/state/record.js";
import { cases } from "../../fakes/cases.js";
import { runInside } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { makeProject, type Project } from "../../fakes/project.js";

/** Anything of a payload: a forger may write what it likes. */
// biome-ignore lint/suspicious/noExplicitAny: each member is replaced by values of any type.
type Open = any;

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const HEAD = "c".repeat(40);
let project: Project;
let sandbox: Sandbox;
/** Two applies that a forge knows a review of, with a command between them. */
let good: readonly Open[];

beforeAll(async () => {
  const many = makeMany(4, "full");
  sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
  project = makeProject({ guards: { maxChangesPercent: 100 } });
  const env = {
    PATH: process.env.PATH ?? "",
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    REMIT_EVIDENCE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
  const run = (...argv: readonly string[]) => runInside(argv, { cwd: project.cwd, env });
  const git = (...argv: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...argv], { cwd: project.cwd });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "made");
  for (const round of [1, 2]) {
    project.write(many.wanted(round));
    await run("plan", "--out", "plan.json");
    const { effect } = JSON.parse(readFileSync(join(project.cwd, "plan.json"), "utf8"));
    const seen = await run("apply", "--yes", "--expect", effect, "--evidence", "evidence");
    expect(seen.code, seen.stderr).toBe(0);
    if (round === 1) await run("state", "forget", "EntitlementAutomation/*", "--format", "text");
  }
  const folder = join(project.cwd, "evidence");
  const files = readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).payload);
  const payloads = files.map((payload) => JSON.parse(Buffer.from(payload, "base64").toString("utf8")));
  good = reviewed(payloads);
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  project.close();
});

/** What the same runs leave in a pipeline whose forge knows a pull request with two approvals. */
function reviewed(payloads: readonly Open[]): readonly Open[] {
  return rechained(payloads, (predicate, at) => {
    const day = predicate.firstCall.slice(0, 10);
    Object.assign(predicate.own.record, {
      pullRequest: 7 + at,
      by: { ...predicate.own.record.by, user: "olu" },
    });
    predicate.review = {
      forge: "github",
      repository: "acme/infra",
      number: 7 + at,
      commit: HEAD,
      approvals: ["ann", "ines"].map((by) => ({ by, at: `${day}T00:00:00Z`, commit: HEAD })),
    };
  });
}

/** The payloads with a change, and with the hashes and subjects that belong to it: who has the key can do that. */
function rechained(
  payloads: readonly Open[],
  change: (predicate: Open, at: number) => void,
): readonly Open[] {
  const copies = structuredClone(payloads) as Open[];
  const hashes = new Map<string, string>();
  copies.forEach((payload, at) => {
    const { predicate } = payload;
    change(predicate, at);
    for (const one of [...[...(predicate.earlier ?? [])].reverse(), predicate.own]) {
      const old = one.hash;
      const before = hashes.get(one.record.before);
      if (before !== undefined) one.record.before = before;
      const known = one === predicate.own ? undefined : records.get(old);
      if (known !== undefined) one.record = structuredClone(known);
      one.hash = hashOfRecord(JSON.stringify(one.record));
      if (one === predicate.own) records.set(old, one.record);
      hashes.set(old, one.hash);
    }
    rehash(payload);
  });
  records.clear();
  return copies;
}
const records = new Map<string, Open>();

const filesOf = (payloads: readonly Open[]): readonly EvidenceFile[] =>
  payloads.map((payload, at) => ({
    name: String(at),
    text: sealEnvelope(JSON.stringify(payload), privateKey),
  }));

const NOW = () => Date.now();
function judged(
  files: readonly EvidenceFile[],
  required: Requirements = NOTHING_MORE,
  head: Judging["head"] = null,
) {
  const judging = { keys: [publicKey], mayBeUnsigned: false, since: null, head, required, now: NOW() };
  const { problems, records: found } = verifyEvidence(files, judging);
  const codes = [...problems, ...found.flatMap((one) => one.problems)].map(({ code }) => code);
  const isProved = problems.length === 0 && found.at(-1)?.isProved === true;
  return { codes, isProved, notKnown: found.map((one) => one.notKnown.join("; ")).join("\n") };
}

const forged = (change: (predicate: Open) => void) =>
  filesOf(rechained(good, (predicate, at) => (at === 1 ? change(predicate) : undefined)));

/** What a store says of its newest record: no one can write that into a file. */
function headOf(payloads: readonly Open[]): Judging["head"] {
  const { own } = payloads.at(-1).predicate;
  return { number: own.record.number, hash: own.hash };
}

/** What a forger makes of a step: what its record says became of it, where, and what was read back. */
interface Fate {
  readonly outcome: string;
  readonly isMoved: boolean;
  readonly found: string;
}

/** Takes steps out of a record, calls them otherwise or says that they did nothing, and changes what was read back of them. */
function leaveOut(predicate: Open, fates: readonly Fate[], isRead: boolean): void {
  const { own, readBack } = predicate;
  const { record } = own;
  const steps = record.steps.splice(0) as readonly Open[];
  for (const [at, { outcome, isMoved, found }] of fates.entries()) {
    const { address, action } = steps[at];
    const isKept = outcome === "kept";
    if (isKept) record.steps.push(steps[at]);
    else if (outcome !== "gone" && isMoved) record.unwritten.push({ address, action, outcome });
    else if (outcome !== "gone") record.steps.push({ ...steps[at], outcome });
    const place = readBack.objects.findIndex((one: Open) => one.address === address);
    if (isKept) continue;
    if (found === "gone") readBack.objects.splice(place, 1);
    else Object.assign(readBack.objects[place], { found, ...(found === "not read" && { sha256: null }) });
  }
  if (!isRead) predicate.readBack = null;
}

describe("evidence that was forged by one who has the key", () => {
  it("is not this: what applies left is proved", () => {
    expect(judged(filesOf(good))).toMatchObject({ codes: [], isProved: true });
    expect(judged(filesOf(good), NOTHING_MORE, headOf(good))).toMatchObject({ codes: [], isProved: true });
  });

  it.each<[string, (predicate: Open) => void, string]>([
    ["a record without its last step", ({ own }) => own.record.steps.pop(), "evidence/steps"],
    [
      "a record without its last step, read back different",
      ({ own, readBack }) => {
        const { address } = own.record.steps.pop();
        readBack.objects.find((one: Open) => one.address === address).found = "different";
      },
      "evidence/steps",
    ],
    [
      "a step of another object",
      ({ own }) => own.record.steps.push({ ...own.record.steps[0], address: "Webhook/new" }),
      "evidence/steps",
    ],
    [
      "a failed step that the record calls done",
      ({ readBack }) => Object.assign(readBack.objects[0], { found: "different" }),
      "evidence/read-back",
    ],
    [
      "a done step that the record calls failed",
      ({ own }) => Object.assign(own.record.steps[0], { outcome: "failed" }),
      "evidence/read-back",
    ],
    [
      "another commit",
      ({ own }) => Object.assign(own.record, { commit: "d".repeat(40) }),
      "evidence/other-commit",
    ],
    ["another pull request", ({ review }) => Object.assign(review, { number: 99 }), "evidence/other-review"],
    ["a short read back", ({ readBack }) => readBack.objects.pop(), "evidence/read-back"],
    [
      "an approval after the first call",
      ({ review }) => Object.assign(review.approvals[0], { at: "2099-01-01T00:00:00Z" }),
      "evidence/late-approval",
    ],
    ["no date", ({ own }) => Object.assign(own.record, { at: "" }), "evidence/not-whole"],
    [
      "2099",
      ({ own, readBack }) => {
        own.record.at = "2099-01-01T00:00:00Z";
        readBack.at = "2099-01-01T00:00:01Z";
      },
      "evidence/clock",
    ],
    [
      "an apply that is called a recovery",
      ({ own }) => Object.assign(own.record, { as: "recovery" }),
      "evidence/other-record",
    ],
    ["no first call", (predicate) => Object.assign(predicate, { firstCall: null }), "evidence/first-call"],
  ])("is found by %s", (_, change, code) => {
    expect(judged(forged(change)).codes).toContain(code);
  });

  it("is not proved where a step is left out or called left, whatever was read back", () => {
    const { steps } = good[1].predicate.own.record;
    const outcome = fc.constantFrom("kept", "gone", "failed", "refused", "left", "skipped", "uncertain");
    const found = fc.constantFrom("as applied", "different", "not read", "gone");
    const fate = fc.record({ outcome, isMoved: fc.boolean(), found });
    const each = fc.array(fate, { minLength: steps.length, maxLength: steps.length });
    const isAttack = (fates: readonly Fate[]) => fates.some((one) => one.outcome !== "kept");
    const attack = fc.tuple(each.filter(isAttack), fc.boolean());
    fc.assert(
      fc.property(attack, ([fates, isRead]) => {
        const payloads = rechained(good, (predicate, at) => {
          if (at === 1) leaveOut(predicate, fates, isRead);
        });
        expect(judged(filesOf(payloads)).isProved).toBe(false);
        expect(judged(filesOf(payloads), NOTHING_MORE, headOf(good)).isProved).toBe(false);
      }),
      { seed: 44, numRuns: cases(20, 40) },
    );
  }, 120_000);

  it("is found by the newest record again as a further one, also under another name of its run", () => {
    for (const run of [null, "another"]) {
      const again = structuredClone(good[1]);
      const { own } = again.predicate;
      again.predicate.earlier = [structuredClone(own)];
      Object.assign(own.record, {
        number: own.record.number + 1,
        before: own.hash,
        run: run ?? own.record.run,
      });
      own.hash = hashOfRecord(JSON.stringify(own.record));
      const { codes } = judged(filesOf([...good, again]));
      expect(codes).toContain(run === null ? "evidence/two-records" : "evidence/other-plan");
    }
  });

  it("is found by an apply without a file that is called a recovery", () => {
    const payloads = rechained(good, ({ own }, at) => {
      if (at === 0) own.record.as = "recovery";
    });
    expect(judged(filesOf(payloads.slice(1))).codes).toContain("evidence/other-record");
  });

  it("is found by a member that stands twice, in the envelope and in the payload", () => {
    const [first, second] = filesOf(good);
    if (first === undefined || second === undefined) throw new Error("two files");
    const payload = /"payload":"[^"]+"/.exec(first.text)?.[0] ?? "";
    for (const name of ["payload", "p\\u0061yload"]) {
      const twice = second.text.replace("{", `{${payload.replace("payload", name)},`);
      expect(JSON.parse(twice).payload).toBe(JSON.parse(second.text).payload);
      expect(judged([first, { ...second, text: twice }]).codes).toContain("evidence/cut");
    }
    const inside = JSON.stringify(good[1]).replace('"firstCall":', '"firstCall":null,"firstCall":');
    const text = sealEnvelope(inside, privateKey);
    expect(judged([first, { ...second, text }]).codes).toContain("evidence/not-whole");
  });

  it.each<[string, (predicate: Open) => void, string, string | null]>([
    ["no review", (one) => Object.assign(one, { review: null }), "approvals=1", "who approved it"],
    [
      "no approvals",
      ({ review }) => Object.assign(review, { approvals: [] }),
      "approvals=1",
      "that anyone approved it",
    ],
    [
      "approvals that the forge does not show",
      ({ review }) => Object.assign(review, { approvals: null }),
      "approvals=1",
      "who approved it",
    ],
    ["one approval", ({ review }) => review.approvals.pop(), "approvals=2", null],
    [
      "one person who approved twice",
      ({ review }) => Object.assign(review.approvals[1], { by: "Ann" }),
      "approvals=2",
      null,
    ],
    [
      "approvals by the applier",
      ({ review }) => {
        for (const one of review.approvals) one.by = "Olu";
      },
      "not-by-applier",
      null,
    ],
    [
      "an applier that is not known",
      ({ own }) => Object.assign(own.record.by, { user: null }),
      "not-by-applier",
      "who applied it",
    ],
    [
      "approvals of an older commit",
      ({ review }) => {
        for (const one of review.approvals) one.commit = "e".repeat(40);
      },
      "approvals-of-head",
      null,
    ],
    [
      "approvals of an unknown commit",
      ({ review }) => {
        for (const one of review.approvals) one.commit = null;
      },
      "approvals-of-head",
      "of which commit 2 approvals is",
    ],
    [
      "approvals without a time",
      ({ review }) => {
        for (const one of review.approvals) one.at = null;
      },
      "approvals-dated",
      "when 2 approvals came",
    ],
    ["no read back", (one) => Object.assign(one, { readBack: null }), "read-back", "nothing was read back"],
    [
      "an object that was not read back",
      ({ readBack }) => Object.assign(readBack.objects[0], { found: "not read", sha256: null }),
      "read-back",
      "not read back",
    ],
  ])("is found by %s where --require names it", (_, change, word, notKnown) => {
    const files = forged(change);
    expect(judged(files).codes).toEqual([]);
    if (notKnown !== null) expect(judged(files).notKnown).toContain(notKnown);
    const required = readRequirements([word]);
    if ("unknown" in required) throw new Error(word);
    const code = word === "read-back" ? "evidence/read-back" : "evidence/approvals";
    expect(judged(files, required).codes).toContain(code);
    expect(judged(filesOf(good), required).codes).toEqual([]);
  });

  it("takes only the requirements that there are", () => {
    expect(readRequirements(["approvals=0"])).toEqual({ unknown: "approvals=0" });
    expect(readRequirements(["constructor"])).toEqual({ unknown: "constructor" });
    expect(readRequirements(["approvals=2", "approvals-dated"])).toEqual({
      ...NOTHING_MORE,
      approvals: 2,
      approvalsDated: true,
    });
  });

  it("is found by any other value of any member, or the output says that the member is only signed", () => {
    const { missed, count } = missedIn((payload) => payload.predicate, []);
    expect(count).toBeGreaterThan(500);
    expect([...missed].filter((path) => !SIGNED_ALONE.some((known) => known.test(path))).sort()).toEqual([]);
  }, 120_000);

  it("is found by any other step of a plan that was sealed again", () => {
    const { missed, count } = missedIn((payload) => payload.predicate.plan.plan.steps, ["steps"]);
    expect(count).toBeGreaterThan(300);
    expect([...missed].filter((path) => !BESIDE_EFFECT.test(path)).sort()).toEqual([]);
  }, 120_000);
});

/**
 * Judges what each member of a part of the newest file may get instead: one value of each in turn, and every value in
 * the soak. Gives the members whose change no one sees.
 */
function missedIn(part: (payload: Open) => Open, at: readonly string[]) {
  const missed = new Set<string>();
  const { notKnown: known } = judged(filesOf(good));
  const [first] = filesOf(good.slice(0, 1));
  if (first === undefined) throw new Error("a file");
  let count = 0;
  for (const [place, path] of pathsIn(part(good[1]), at).entries()) {
    const inside = path.slice(at.length);
    const name = path.at(-1) ?? "";
    for (const change of inTurn(changesOf(valueAt(part(good[1]), inside)), place)) {
      const payload = structuredClone(good[1]);
      change(valueAt(part(payload), inside.slice(0, -1)), name);
      if (isDeepStrictEqual(payload, good[1])) continue;
      if (name !== "hash") rehash(payload);
      if (at.length > 0) reseal(payload.predicate.plan);
      count += 1;
      const { codes, notKnown } = judged([first, ...filesOf([payload])]);
      if (codes.length === 0 && notKnown === known)
        missed.add(path.map((one) => (/^\d+$/.test(one) ? "*" : one)).join("."));
    }
  }
  return { missed, count };
}

/** One of some things in a run of tests, another at each place; all of them in the soak. */
function inTurn<T>(things: readonly T[], place: number): readonly T[] {
  const from = place % things.length;
  return [...things.slice(from), ...things.slice(0, from)].slice(0, cases(1));
}

/** Gives a saved plan the seal that belongs to it. */
function reseal(saved: Open): void {
  saved.seal = sealOfText(canonical(saved.plan));
}

/** The members of which verify says that they are only signed. */
const SIGNED_ALONE = [
  // The words of the forge.
  /^review(\.(forge|repository|commit|approvals.*))?$/,
  // Who ran it, and where.
  /^own\.record\.(by.*|run|clock)$/,
  // Names of requests, and hashes of values.
  /^own\.record\.steps\.\*\.(requests.*|fields\.\*\.(before|after))$/,
  /^readBack\.objects\.\*\.sha256$/,
  // A record that another file has as well.
  /^earlier(\.\*)?$/,
];

/** Gives the records of a payload the hashes that belong to them, and the payload its subject. */
function rehash(payload: Open): void {
  const { own, earlier } = payload.predicate;
  for (const one of [own, ...(Array.isArray(earlier) ? earlier : [])])
    if (one?.record !== undefined) one.hash = hashOfRecord(JSON.stringify(one.record));
  const { server, project: name, effect } = own?.record ?? {};
  const sha256 = String(effect?.applied ?? "").replace(/^sha256:/, "");
  payload.subject = [{ name: `effect on ${server}${name == null ? "" : ` of ${name}`}`, digest: { sha256 } }];
}

/** What a step says besides its effect: places in files, dates, labels, and what follows from its calls. */
const BESIDE_EFFECT =
  /^steps\.\*\.(changes(\.\*\.span.*)?|managed\.(createOnlySpans.*|identity\.(id|resourceType)|labels|owned|span.*)|recorded\.record|remarks.*)$/;

function pathsIn(value: Open, at: readonly string[], isRoot = true): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Object.keys(value).flatMap((name) =>
    at[0] === "plan" && at.length === 1 && name !== "plan" && name !== "effect"
      ? []
      : pathsIn(value[name], [...at, name], false),
  );
  return isRoot ? inside : [at, ...inside];
}

function valueAt(value: Open, path: readonly string[]): Open {
  return path.reduce((inside, name) => inside[name], value);
}

type Change = (parent: Open, name: string) => void;

function changesOf(value: Open): readonly Change[] {
  const to =
    (other: Open): Change =>
    (parent, name) => {
      parent[name] = other;
    };
  const gone: Change = (parent, name) => {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
  };
  if (Array.isArray(value))
    return [
      gone,
      to(null),
      ...(value.length === 0 ? [] : [to([]), to(value.slice(1)), to([...value, value[0]])]),
    ];
  if (typeof value === "object" && value !== null) return [gone, to(null), to({})];
  if (typeof value === "number") return [gone, to(value + 1), to(null), to("x")];
  if (typeof value === "boolean") return [gone, to(!value)];
  if (value === null) return [gone, to("x"), to(1)];
  if (/^\d{4}-\d\d-\d\dT/.test(value))
    return [gone, to(null), to(""), to("2099-01-01T00:00:00Z"), to("2001-01-01T00:00:00Z")];
  return [gone, to(null), to("x"), to(`${value}0`)];
}
