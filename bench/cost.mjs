// What a command costs with all the processes that it starts: wall time, CPU time and memory.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const SAMPLE = 25;

/** Runs a command to its end. `ok` are the exit codes that it may have; any other one is an error with its output. */
export async function costOf(argv, { cwd, env, ok = [0] }) {
  const started = performance.now();
  // The shell's `times` counts its children and theirs. Node does not offer that.
  const script = 'exec 4>&1; "$@" 2>&1 >&4; code=$?; times >&3; exit $code';
  const child = spawn("bash", ["-c", script, "bash", ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  /** @type {string[]} */
  const output = [];
  /** @type {string[]} */
  const times = [];
  child.stdio[1]?.on("data", (text) => output.push(text));
  child.stdio[2]?.on("data", (text) => output.push(text));
  child.stdio[3]?.on("data", (text) => times.push(text));
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let [megabytes, isRunning] = [0, true];
  const sampled = (async () => {
    while (isRunning) {
      megabytes = Math.max(megabytes, memoryBelow(child.pid));
      await pause(SAMPLE);
    }
  })();
  const code = await ended;
  isRunning = false;
  const wall = performance.now() - started;
  await sampled;
  if (!ok.includes(code))
    throw new Error(`${argv.join(" ")} ended with ${code}: ${output.join("").slice(-2_000)}`);
  return { wall, cpu: cpuIn(times.join("")), megabytes, output: output.join("") };
}

/** Milliseconds of user and system time of the children, from the second line of `times`: 0m1.234s 0m0.056s. */
function cpuIn(times) {
  const [, line = ""] = times.split("\n");
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );
}

/** Megabytes that the processes below another one have in memory now; 0 where the system does not say. */
function memoryBelow(root) {
  const parents = new Map();
  for (const pid of listed("/proc")) {
    const parent = /\) \S (\d+) /.exec(textOf(`/proc/${pid}/stat`))?.[1];
    if (parent !== undefined) parents.set(pid, parent);
  }
  const isBelow = (pid) => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === String(root) || isBelow(parent));
  };
  return [...parents.keys()]
    .filter(isBelow)
    .reduce(
      (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024,
      0,
    );
}

function listed(folder) {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
