import type { Ended } from "../../fakes/command.js";

interface ShownRecord {
  readonly number: number;
  readonly hash: string;
  readonly before: string | null;
  readonly run: string;
}

/**
 * What is wrong with a history after so many runs, some of which sent something. Each of those has one record, in order,
 * which names the one before it. A store without a history has nothing wrong.
 */
export function auditHistory(
  { code, stdout, stderr }: Ended,
  { sent, started }: { readonly sent: number; readonly started: number },
): readonly string[] {
  if (stderr.includes("state/no-history")) return [];
  if (code !== 0) return [`the history is not whole: ${stderr}`];
  const { records, head } = JSON.parse(stdout) as {
    readonly records: readonly ShownRecord[];
    readonly head: { readonly number: number; readonly hash: string } | null;
  };
  const [newest] = records;
  const isWhole =
    head?.hash === newest?.hash &&
    records.every((record, place) => {
      const before = records[place + 1] ?? null;
      return record.number === records.length - place && record.before === (before?.hash ?? null);
    });
  const names = new Set(records.map(({ run }) => run));
  return [
    ...(isWhole ? [] : [`the history is no chain: ${JSON.stringify(records.map(({ number }) => number))}`]),
    ...(names.size === records.length ? [] : ["a run has two records"]),
    ...(records.length >= sent ? [] : [`${records.length} records, and ${sent} runs sent something`]),
    ...(records.length <= started ? [] : [`${records.length} records, and ${started} runs were started`]),
  ];
}
