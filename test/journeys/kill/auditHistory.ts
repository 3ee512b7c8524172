import type { Ended } from "../../fakes/command.js";

interface ShownRecord {
  readonly number: number;
  readonly hash: string;
  readonly before: string | null;
  readonly run: string;
  readonly as: string;
}

/** So many runs were started, so many of them sent something, and so many were killed in the midst of that. */
export interface Ran {
  readonly started: number;
  readonly sent: number;
  readonly cut: number;
}

/**
 * What is wrong with a history after some runs. Each that sent something has one record, in order, which names the one
 * before it; the next run writes it for one that was killed. A store without a history has nothing wrong.
 */
export function auditHistory(
  { code, stdout, stderr }: Ended,
  { started, sent, cut }: Ran,
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
    ...(cut === 0 || records.some(({ as }) => as === "recovery") ? [] : [`${cut} cuts, and none recovered`]),
    ...(records.length >= sent ? [] : [`${records.length} records, and ${sent} runs sent something`]),
    ...(records.length <= started ? [] : [`${records.length} records, and ${started} runs were started`]),
  ];
}
