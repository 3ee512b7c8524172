import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEnvelope, readEnvelope, sealEnvelope } from "../../../src/commands/evidence/envelope.js";
import { type Judging, verifyEvidence } from "../../../src/commands/evidence/judge.js";
import { NOTHING_MORE } from "../../../src/commands/evidence/requirements.js";
import { readStatement } from "../../../src/commands/evidence/statement.js";
import { parseJson } from "../../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { hashOfRecord } from "../../../src/state/record.js";
import { runInside, type Seen } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { makeProject, type Project } from "../../fakes/project.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const PEM = privateKey.export({ type: "pkcs8", format: "pem" }) as string;

let project: Project;
let sandbox: Sandbox;
let env: Record<string, string>;
const run = (...argv: readonly string[]) => runInside(argv, { cwd: project.cwd, env });

/** Applies a round as a pipeline does: the effect of a plan is what is expected. */
async function applied(...more: readonly string[]): Promise<Seen> {
  const planned = await run("plan", "--out", "plan.json");
  expect(planned.code, planned.stderr).toBe(0);
  const { effect } = JSON.parse(readFileSync(join(project.cwd, "plan.json"), "utf8"));
  return run("apply", "--yes", "--expect", effect, ...more);
}

beforeAll(async () => {
  const many = makeMany(4, "full");
  sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
  project = makeProject({ guards: { maxChangesPercent: 100 } });
  env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_EVIDENCE_KEY: PEM };
  writeFileSync(join(project.cwd, "evidence.pub"), publicKey.export({ type: "spki", format: "pem" }));
  for (const round of [1, 2, 3]) {
    project.write(many.wanted(round));
    const { code, stderr } = await applied("--evidence", "evidence");
    expect(code, stderr).toBe(0);
    if (round === 1) {
      const forgotten = await run("state", "forget", "EntitlementAutomation/*", "--format", "text");
      expect(forgotten.code, forgotten.stderr).toBe(0);
    }
  }
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  project.close();
});

/** The files of the bundle, in the order of the history. */
function bundle(): readonly BundledFile[] {
  const folder = join(project.cwd, "evidence");
  const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  const numberOf = ({ text }: { readonly text: string }) => payloadOf(text).predicate.own.record.number;
  return files.sort((one, two) => numberOf(one) - numberOf(two));
}

function three(): readonly [BundledFile, BundledFile, BundledFile] {
  const [one, two, last] = bundle();
  if (one === undefined || two === undefined || last === undefined) throw new Error("three files");
  return [one, two, last];
}

interface Payload {
  readonly predicate: {
    readonly expectedBy: string | null;
    readonly own: { readonly hash: string; readonly record: { readonly number: number } };
  };
}
function payloadOf(text: string): Payload {
  return JSON.parse(Buffer.from(JSON.parse(text).payload, "base64").toString("utf8"));
}

const JUDGING: Judging = {
  keys: [publicKey],
  mayBeUnsigned: false,
  since: null,
  head: null,
  required: NOTHING_MORE,
  now: Date.now(),
};
const codesOf = (files: readonly BundledFile[], more: Partial<Judging> = {}) => {
  const { problems, records } = verifyEvidence(files, { ...JUDGING, ...more });
  return [...problems, ...records.flatMap((one) => one.problems)].map(({ code }) => code);
};

interface BundledFile {
  readonly name: string;
  readonly text: string;
}

/** What a test changes of a statement. */
interface OpenPredicate {
  own: {
    hash: string;
    record: {
      run: string;
      server: string;
      at: string;
      before: string;
      effect: { expected: string | null };
    };
  };
  earlier: unknown[];
  plan: { plan: { steps: unknown[] } };
  review: unknown;
  expectedBy: unknown;
}

/** The same file with another record or predicate, signed again: only who has the key can do that. */
function resigned({ name, text }: BundledFile, change: (predicate: OpenPredicate) => void): BundledFile {
  const payload: { subject: { name: string }[]; predicate: OpenPredicate } = JSON.parse(
    JSON.stringify(payloadOf(text)),
  );
  change(payload.predicate);
  for (const subject of payload.subject) subject.name = `effect on ${payload.predicate.own.record.server}`;
  payload.predicate.own.hash = hashOfRecord(JSON.stringify(payload.predicate.own.record));
  return { name, text: sealEnvelope(JSON.stringify(payload), privateKey) };
}

it("says whether reviews or a person named the effect, and takes no other word", () => {
  const [one] = three();
  expect(payloadOf(one.text).predicate.expectedBy).toBe("operator");
  const by = (expectedBy: unknown) =>
    codesOf([resigned(one, (predicate) => void Object.assign(predicate, { expectedBy }))]);
  expect(by("review")).toEqual(codesOf([one]));
  expect(by("nobody")).toContain("evidence/not-whole");
});

describe("evidence of applies", () => {
  it("is proved by the files and the public key, also the commands between them", async () => {
    const seen = await run("evidence", "verify", "evidence", "--key", "evidence.pub");
    expect(seen.stderr).toBe("");
    expect(seen.code).toBe(0);
    expect(seen.stdout.match(/ {2}proved/g)).toHaveLength(3);
    expect(seen.stdout).toContain("2: what it did: it has no evidence of its own");
    expect(seen.stdout).toContain("no longer managed");
    expect(seen.stdout).toContain("Tail: not proved");
    const { head } = JSON.parse((await run("history", "--format", "json")).stdout);
    const whole = await run(
      "evidence",
      "verify",
      "evidence",
      "--key",
      "evidence.pub",
      "--head",
      `${head.number}:${head.hash}`,
    );
    expect([whole.code, whole.stdout.includes("Tail: proved")]).toEqual([0, true]);
  });

  it("has the record, the plan and a read back, and no secret", () => {
    for (const { text } of bundle()) {
      const envelope = readEnvelope(text);
      const opened = envelope === null ? null : openEnvelope(envelope, [publicKey], false);
      const evidence = opened !== null && "payload" in opened ? readStatement(opened.payload) : null;
      expect(evidence?.plan.effect).toBe(evidence?.own.record.effect.applied);
      expect(evidence?.readBack?.objects.filter(({ found }) => found !== "as applied")).toEqual([]);
      expect(evidence?.firstCall).toMatch(/^20/);
      const all = JSON.stringify(evidence);
      expect(all).not.toContain(sandbox.token);
      expect(all).not.toContain(project.state()?.history?.secret ?? "none");
    }
  });

  it("is refused with any bit of payload or signature flipped", () => {
    const envelope = readEnvelope(bundle()[0]?.text ?? "");
    if (envelope?.signature == null) throw new Error("a signed envelope");
    const { payload, signature } = envelope;
    const flipped = (text: string, bit: number) => {
      const bytes = Buffer.from(text, "base64");
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return bytes.toString("base64");
    };
    const faultOf = (one: typeof envelope) => {
      const opened = openEnvelope(one, [publicKey], false);
      return "fault" in opened ? opened.fault : null;
    };
    expect(faultOf(envelope)).toBeNull();
    const bits = Buffer.from(payload, "base64").length * 8;
    for (let bit = 0; bit < 512; bit += 1)
      expect(faultOf({ ...envelope, signature: { ...signature, sig: flipped(signature.sig, bit) } })).toBe(
        "changed",
      );
    for (let bit = 0; bit < bits; bit += 997)
      expect(faultOf({ ...envelope, payload: flipped(payload, bit) })).toBe("changed");
    // Base64 has several spellings of some bytes: only one counts.
    const odd = signature.sig.replace(
      /(.)==$/,
      (_, last) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`,
    );
    expect(odd).not.toBe(signature.sig);
    expect(faultOf({ ...envelope, signature: { ...signature, sig: odd } })).toBe("changed");
  });

  it.each([
    [
      "a file that was cut",
      (files) => [{ ...files[0], text: files[0].text.slice(0, 900) }, ...files.slice(1)],
      "evidence/cut",
    ],
    ["a record missing in the middle", (files) => [files[0], files[2]], "evidence/none"],
    [
      "a record missing with those that name it",
      (files) => [
        files[0],
        resigned(files[2], (one) => {
          one.earlier = [];
        }),
      ],
      "evidence/missing",
    ],
    ["a first record that is missing", (files) => files.slice(2), "evidence/missing"],
    [
      "two records with one number",
      (files) => [
        ...files,
        resigned(files[1], (one) => {
          one.own.record.run = "another";
        }),
      ],
      "evidence/two-records",
    ],
    [
      "an envelope of another server",
      (files) => [
        ...files,
        resigned(files[2], (one) => {
          one.own.record.server = "https://other.example";
        }),
      ],
      "evidence/other-server",
    ],
    [
      "an unsigned envelope",
      (files) => [
        ...files.slice(0, 2),
        { name: "x", text: sealEnvelope(JSON.stringify(payloadOf(files[2].text)), null) },
      ],
      "evidence/unsigned",
    ],
    [
      "an apply that expected nothing",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.own.record.effect.expected = null;
        }),
      ],
      "evidence/not-approved",
    ],
    [
      "another effect than the expected one",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.own.record.effect.expected = `sha256:${"0".repeat(64)}`;
        }),
      ],
      "evidence/other-effect",
    ],
    [
      "another plan",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.plan.plan.steps.pop();
        }),
      ],
      "evidence/other-plan",
    ],
    [
      "an approval after the first call",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.review = {
            forge: "github",
            repository: "acme/infra",
            number: 4,
            commit: "a1",
            approvals: [{ by: "ann", at: "2099-01-01T00:00:00Z", commit: "a1" }],
          };
        }),
      ],
      "evidence/late-approval",
    ],
    [
      "a clock that goes back",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.own.record.at = "2001-01-01T00:00:00Z";
        }),
      ],
      "evidence/clock",
    ],
    [
      "a record that is not the next one of the chain",
      (files) => [
        ...files.slice(0, 2),
        resigned(files[2], (one) => {
          one.own.record.before = "0".repeat(64);
        }),
      ],
      "evidence/chain",
    ],
  ] as readonly (readonly [
    string,
    (files: readonly [BundledFile, BundledFile, BundledFile]) => readonly BundledFile[],
    string,
  ])[])("is refused with %s, by its own message", (_, broken, code) => {
    expect(codesOf(bundle())).toEqual([]);
    expect(codesOf(broken(three()))).toContain(code);
  });

  it("is refused with a wrong key, and with a head that shows a missing tail", () => {
    expect(codesOf(bundle(), { keys: [other.publicKey] })).toContain("evidence/other-key");
    const files = bundle();
    const { number, hash } = { ...payloadOf(files[2]?.text ?? "").predicate.own, number: 4 };
    expect(codesOf(files.slice(0, 2), { head: { number, hash } })).toContain("evidence/missing");
    expect(verifyEvidence(files.slice(0, 2), JUDGING).isTailProved).toBe(false);
    expect(codesOf(files, { head: { number, hash: "0".repeat(64) } })).toContain("evidence/head");
  });

  it("is refused before anything is applied where the key is none, and ends with 4 where nothing is there", async () => {
    const bad = await runInside(["apply", "--yes", "--evidence", "none"], {
      cwd: project.cwd,
      env: { ...env, REMIT_EVIDENCE_KEY: "x" },
    });
    expect([bad.code, bad.stderr.includes("evidence/key")]).toEqual([5, true]);
    mkdirSync(join(project.cwd, "empty"));
    const none = await run("evidence", "verify", "empty", "--key", "evidence.pub");
    expect([none.code, none.stderr.includes("evidence/none")]).toEqual([4, true]);
    rmSync(join(project.cwd, "empty"), { recursive: true });
    expect(
      parseJson(
        (await run("evidence", "verify", "evidence", "--key", "evidence.pub", "--format", "json")).stdout,
      ),
    ).toMatchObject({ problems: [] });
  });
});
