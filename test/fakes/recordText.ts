/** The text of a run record that a history may have at that place. */
export function recordText(number: number, before: string | null, more: object = {}): string {
  const by = { host: "host", user: null, job: null, command: "apply" };
  return JSON.stringify({
    formatVersion: 1,
    number,
    before,
    run: `run ${number}`,
    as: "apply",
    at: "2026-01-01T00:00:00Z",
    clock: "service",
    server: "https://tenant.example",
    project: null,
    pullRequest: null,
    commit: null,
    effect: { expected: null, applied: null },
    by,
    steps: [],
    unwritten: [],
    ...more,
  });
}
