import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../../src/sandbox/http/server.js";
import type { Command, Ended } from "../../fakes/command.js";
import { runHasty } from "../../fakes/inside.js";
import { makeMany } from "../../fakes/many.js";
import { makeProject } from "../../fakes/project.js";
import { seededRandom } from "../../fakes/random.js";
import { auditCreates, auditTenant, nameOf } from "./audit.js";
import { auditRecords, type SeenRecord, type SeenRun } from "./auditRecords.js";
import type { OpenPlace } from "./places.js";

/** What became of a trial. */
export interface CommandFigures {
  /** How often each command was killed. */
  readonly kills: Readonly<Record<string, number>>;
  readonly records: number;
  /** How many of the killed ones had sent something, or have a record. */
  readonly struck: number;
  readonly violations: readonly string[];
}

/** What a trial is made of; the same seed draws the same commands. */
export interface CommandTrial {
  /** A command whose clock is hasty. */
  readonly command: Command;
  readonly place: OpenPlace;
  readonly seed: number;
  readonly kills: number;
  /** Whether the state has a key, which commands exchange. */
  readonly isEncrypted: boolean;
  /** How many dealings with the world each command has, as far as trials have seen. */
  readonly dealings: Map<string, number>;
}

const SIZE = 12;
/** The world has no more apps than for so many rounds. */
const ROUNDS = 3;
const ANSWERS = ["unknown-current", "nobody"].flatMap((guard) => ["--acknowledge", guard]);
const APPLY = ["apply", "--yes", ...ANSWERS, "--lock-timeout", "600"];
/** So many plain repetitions must be enough. */
const PATIENCE = 6;
const OTHERS = ["forget", "move", "rename", "rescue"];
const WITH_KEYS = ["encrypt", "decrypt"];

/** The state as it is seen from outside, at the place where it is. */
interface Look {
  readonly fault: string | null;
  readonly records: readonly SeenRecord[];
  readonly state: {
    readonly lineage: string | null;
    readonly serial: number | null;
    readonly project: string | null;
  };
  readonly isReadable: boolean;
  /** Whether the state is encrypted. */
  readonly isEncrypted: boolean;
}

/**
 * Applies a world that changes, and changes its state by commands, each on a machine of its own. Most of them are killed
 * in the midst of their dealings with disk and network. After each, the history is looked at from outside.
 */
export async function commandTrial(trial: CommandTrial): Promise<CommandFigures> {
  const { command, place, seed, isEncrypted, dealings } = trial;
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const many = makeMany(SIZE, "full");
  let heard = (): void => undefined;
  let writes = 0;
  const sandbox = await startSandbox({
    interface: "full",
    tenant: many.tenant,
    faults: { seed, rules: [{ fault: "latency", method: "POST", between: [5, 30] }] },
    seed,
    log: ({ written }) => {
      if (!written) return;
      writes += 1;
      heard();
    },
  });
  const home = mkdtempSync(join(tmpdir(), "remit-home-"));
  let at = await place.state();
  let project = "first";
  let round = 1;
  let keys = isEncrypted ? [keyOf(1)] : [];
  let isPlain = false;
  const rescues: string[] = [];
  const runs: SeenRun[] = [];
  const kills: Record<string, number> = {};
  let killed = 0;
  let isHeld = false;
  const wanted = () => [
    ...many.wanted(round).filter(({ kind }) => kind !== "TemplateScope"),
    ...many.wanted(Math.min(round, ROUNDS)).filter(({ kind }) => kind === "TemplateScope"),
  ];

  const envOf = (over: Readonly<Record<string, string>>): Record<string, string> => ({
    REMIT_SERVER: sandbox.url,
    REMIT_TOKEN: sandbox.token,
    REMIT_REQUEST_TIMEOUT: "60s",
    REMIT_CONCURRENCY: "3",
    HASTE: "100",
    XDG_STATE_HOME: home,
    ...over,
    ...(keys.length > 0 && { REMIT_STATE_KEY: keys.join(",") }),
  });

  /** Runs a command line on a new machine; `death` says where it ends. */
  async function onNewMachine(
    argv: readonly string[],
    over: Readonly<Record<string, string>>,
    death: Readonly<Record<string, string>> | null,
  ): Promise<Ended> {
    const folder = makeProject({ project, guards: { maxChangesPercent: 100 } });
    folder.write(wanted());
    const env = { ...envOf(at), ...over };
    if (isPlain && argv[1] !== "encrypt") delete env.REMIT_STATE_KEY;
    try {
      if (death === null) return { ...(await runHasty(argv, { cwd: folder.cwd, env })), signal: null };
      if (!("WRITES" in death))
        return await command.run(argv, { cwd: folder.cwd, env: { ...env, ...death } });
      const { process, ended } = command.start(argv, { cwd: folder.cwd, env });
      let left = Number(death.WRITES);
      heard = () => {
        left -= 1;
        if (left === 0) process.kill("SIGKILL");
      };
      return await ended;
    } finally {
      heard = () => undefined;
      folder.close();
    }
  }

  async function lookAt(): Promise<Look> {
    const seen = async (argv: readonly string[]) => {
      const first = await onNewMachine(argv, {}, null);
      return { ...first, json: first.code === 0 ? JSON.parse(first.stdout) : null };
    };
    let listed = await seen(["state", "list", "--format", "json"]);
    if (/state\/(not-)?encrypted/.test(listed.stderr)) {
      isPlain = !isPlain;
      listed = await seen(["state", "list", "--format", "json"]);
    }
    const told = await seen(["history", "--format", "json"]);
    return {
      fault: listed.code === 0 && told.code === 0 ? null : `${listed.stderr}${told.stderr}`,
      records: told.json?.records ?? [],
      state: versionIn(listed.json?.state),
      isReadable: listed.code === 0,
      isEncrypted: keys.length > 0 && !isPlain,
    };
  }

  /** What a killed run has left to servers and programs may still take effect. */
  async function quietLook(): Promise<Look> {
    let look = await lookAt();
    for (let turn = 0; turn < 20; turn += 1) {
      const before = [writes, JSON.stringify(look)];
      await pause(150);
      look = await lookAt();
      if (JSON.stringify([writes, JSON.stringify(look)]) === JSON.stringify(before)) break;
    }
    return look;
  }

  let look = await lookAt();

  /** Runs one command, killed or not, and looks at what came of it. */
  async function step(
    what: string,
    argv: readonly string[],
    { isMortal, over = {}, after = async () => ({}) }: StepOptions,
  ): Promise<Ended> {
    const name = (seed * 1000 + runs.length).toString(16).padStart(8, "0");
    const before = writes;
    const mostly = dealings.get(what);
    const counted = join(home, "counted");
    const at = mostly === undefined ? null : 1 + Math.floor(Math.sqrt(random()) * mostly * 1.05);
    const later = random() < 0.5 ? 0 : Math.floor(random() * 20);
    const atWrite =
      what === "apply" && random() < 0.5 ? { WRITES: String(1 + Math.floor(random() * 5)) } : null;
    const death = atWrite ?? {
      COUNTED: counted,
      ...(at !== null && { DIE_AT: String(at), DIE_LATER: String(later) }),
    };
    const named = { ...over, RUN: name };
    const ended = await onNewMachine(argv, named, isMortal && killed < trial.kills ? death : null);
    const isKilled = ended.signal === "SIGKILL";
    if (isMortal && ended.signal === null && ended.code === 0) {
      const count = Number(readCount(counted));
      if (count > 0) dealings.set(what, count);
    }
    if (isKilled) {
      killed += 1;
      kills[what] = (kills[what] ?? 0) + 1;
      isHeld = true;
    }
    const { also = [], isElsewhere = false, now } = await after(ended, name);
    const found = now ?? (isKilled ? await quietLook() : await lookAt());
    const isChanged = isElsewhere || JSON.stringify(found.state) !== JSON.stringify(look.state);
    const { records, fault } = found;
    const isCommand = what !== "apply" && what !== "robbed";
    const isSent = writes > before;
    const { isEncrypted } = found;
    const whole = { name, what, isKilled, code: ended.code, isSent, isChanged, isEncrypted, isCommand };
    runs.push({ ...whole, fault, records, also });
    look = found;
    return ended;
  }

  async function unlock(): Promise<void> {
    if (!isHeld) return;
    await place.outwait(at);
    await step("unlock", ["state", "unlock"], { isMortal: random() < 0.3 });
    if (runs.at(-1)?.isKilled === true) await step("unlock", ["state", "unlock"], { isMortal: false });
    isHeld = false;
  }

  const does: Readonly<Record<string, () => Promise<void>>> = {
    async apply() {
      if (random() < 0.6) round += 1;
      if (isHeld) {
        await place.outwait(at);
        if (random() < 0.3) await unlock();
      }
      const { signal } = await step("apply", APPLY, { isMortal: true });
      isHeld = signal !== null;
    },
    /** Another run takes its lock away while it writes: what it still hears goes to a rescue file. */
    async robbed() {
      round += 1;
      if (isHeld) await place.outwait(at);
      let left = 1 + Math.floor(random() * 4);
      let robbing: Promise<unknown> = Promise.resolve();
      heard = () => {
        left -= 1;
        if (left === 0) robbing = onNewMachine(["state", "unlock"], {}, null);
      };
      const { stderr } = await step("robbed", APPLY, { isMortal: false });
      heard = () => undefined;
      await robbing;
      const [file] = stderr.match(/\S+rescue-\S+\.json/) ?? [];
      if (file !== undefined) rescues.push(file);
      isHeld = false;
    },
    async rescue() {
      const [file] = rescues;
      if (file === undefined) return does.robbed?.();
      await unlock();
      const { code } = await step("rescue", ["state", "rescue", file], { isMortal: true });
      if (code === 0) rescues.shift();
    },
    async forget() {
      await unlock();
      const some = wanted().filter(({ name }) => !name.startsWith("made"));
      await step("forget", ["state", "forget", nameOf(pick(some))], { isMortal: true });
    },
    async rename() {
      await unlock();
      const from = look.state.project ?? "none";
      project = from === "first" ? "second" : "first";
      await step("rename", ["state", "move", "--from-project", from], {
        isMortal: true,
        after: async (ended) => {
          // The next machine has the name that the state has.
          const found = await (ended.signal === null ? lookAt() : quietLook());
          project = found.state.project ?? project;
          return { now: found };
        },
      });
    },
    async move() {
      await unlock();
      const target = await place.state();
      const also: string[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const { code } = await step("move", ["state", "move", target.REMIT_STATE ?? ""], {
          isMortal: turn < 2,
          after: async (_, name) => {
            const old = await quietLook();
            if (old.isReadable) {
              also.push(name);
              return {};
            }
            at = target;
            return { isElsewhere: true, also: also.filter((one) => one !== name) };
          },
        });
        if (at === target || code !== null) return;
        await unlock();
      }
    },
    async encrypt() {
      await unlock();
      keys = [keyOf(keys.length + 1), ...keys];
      await step("encrypt", ["state", "encrypt"], { isMortal: true });
    },
    async decrypt() {
      await unlock();
      await step("decrypt", ["state", "decrypt"], { isMortal: true });
    },
  };

  try {
    const choices = [...OTHERS, ...(isEncrypted ? WITH_KEYS : [])];
    for (let turn = 0; killed < trial.kills && turn < trial.kills * 4; turn += 1) {
      const what = isPlain ? "encrypt" : turn < 2 || random() < 0.4 ? "apply" : pick(choices);
      await does[what]?.();
    }
    if (isPlain) await does.encrypt?.();
    for (const file of rescues.splice(0)) {
      await unlock();
      await step("rescue", ["state", "rescue", file], { isMortal: false });
    }
    if (isHeld) await place.outwait(at);
    let last: Ended | null = null;
    for (let turn = 0; turn < PATIENCE && last?.code !== 0; turn += 1)
      last = await step("apply", APPLY, { isMortal: false });
    const end = last?.code === 0 ? [] : [`it did not end: ${last?.stdout}${last?.stderr}`];
    const found = [
      ...end,
      ...auditRecords(runs),
      ...auditTenant(wanted(), sandbox),
      ...auditCreates(sandbox),
    ];
    const has = (name: string) => look.records.some(({ run }) => run.startsWith(name));
    const struck = runs.filter((run) => run.isKilled && (run.isSent || has(run.name))).length;
    return {
      kills,
      struck,
      records: look.records.length,
      violations: found.map((text) => `seed ${seed}: ${text}`),
    };
  } finally {
    await sandbox.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function versionIn(state: Partial<Look["state"]> | undefined): Look["state"] {
  const { lineage = null, serial = null, project = null } = state ?? {};
  return { lineage, serial, project };
}

interface StepOptions {
  /** Whether it may be killed. */
  readonly isMortal: boolean;
  readonly over?: Readonly<Record<string, string>>;
  readonly after?: (
    ended: Ended,
    name: string,
  ) => Promise<{ readonly also?: readonly string[]; readonly isElsewhere?: boolean; readonly now?: Look }>;
}

function keyOf(number: number): string {
  return Buffer.alloc(32, number).toString("base64");
}

function readCount(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "0";
  }
}
