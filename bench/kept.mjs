// What the figures about stores have in common: who writes, by which clock, and what is kept.
import { setTimeout as pause } from "node:timers/promises";

export const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

export const owner = {
  id: "bench",
  host: "here",
  pid: 1,
  command: "bench",
  since: "now",
  job: null,
  user: null,
};

/** So many entries of a state, as large as usual. */
export function entriesOf(count) {
  const entry = (name) => ({
    address: { kind: "ResourceType", name },
    key: ["app", name],
    applied: { displayName: name, description: "x".repeat(200) },
    answered: null,
    rewritten: [],
    at: "2026-01-01T00:00:00.000Z",
    protected: false,
  });
  const names = Array.from({ length: count }, (_, at) => `name-${at}`);
  return Object.fromEntries(names.map((name) => [`ResourceType:app/${name}`, entry(name)]));
}
