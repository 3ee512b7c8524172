/** The labels of a figure. Only these exist: no address, no id, no name and no text of the service is among them. */
type FigureLabel =
  | "command"
  | "project"
  | "method"
  | "operation"
  | "answer"
  | "action"
  | "outcome"
  | "change"
  | "bound";

/** The labels of one value. */
type FigureLabels = Readonly<Partial<Record<FigureLabel, string>>>;

/** Every figure, what it says, and its unit. Those that `adds` count over a run; the others are seen once. */
export const FIGURES = {
  remit_run_calls: { adds: true, unit: "", help: "Attempts at calls of the service, by what came back" },
  remit_run_retries: { adds: true, unit: "", help: "Calls that were tried once more" },
  remit_run_waited_seconds: {
    adds: true,
    unit: "s",
    help: "Time that calls waited before they were tried once more",
  },
  remit_run_throttled_seconds: {
    adds: true,
    unit: "s",
    help: "Time that calls waited for the pace of the service",
  },
  remit_run_steps: { adds: true, unit: "", help: "Steps of the apply, by how they ended" },
  remit_drifted_objects: {
    adds: false,
    unit: "",
    help: "Objects that were changed in the tenant since the last apply",
  },
  remit_pending_changes: { adds: false, unit: "", help: "Objects that the plan would change in the tenant" },
  remit_people: { adds: false, unit: "", help: "People who would gain or lose access by the plan" },
  remit_run_duration_seconds: { adds: false, unit: "s", help: "How long the run took" },
  remit_run_exit_code: { adds: false, unit: "", help: "The exit code of the run" },
  remit_run_completed_timestamp_seconds: {
    adds: false,
    unit: "s",
    help: "When the run ended, in seconds since 1970",
  },
} as const satisfies Readonly<
  Record<string, { readonly adds: boolean; readonly unit: string; readonly help: string }>
>;

/** The name of a figure. */
type FigureName = keyof typeof FIGURES;

/** One value of a figure. */
interface Sample {
  readonly labels: FigureLabels;
  readonly value: number;
}

/** What a run was counted as. A figure that was not seen has no sample: it is not zero. */
export interface Figures {
  readonly add: (name: FigureName, value: number, labels?: FigureLabels) => void;
  readonly set: (name: FigureName, value: number, labels?: FigureLabels) => void;
  /** In the order of `FIGURES`, and below each in the order in which its samples came. */
  readonly samples: () => readonly (readonly [FigureName, readonly Sample[]])[];
}

/** Begins to count; every sample also has the common labels. */
export function makeFigures(common: FigureLabels): Figures {
  const known = new Map<FigureName, Map<string, Sample>>();
  function change(name: FigureName, own: FigureLabels, next: (before: number) => number) {
    const samples = known.get(name) ?? new Map<string, Sample>();
    known.set(name, samples);
    const labels = { ...common, ...own };
    const key = JSON.stringify(Object.entries(labels).sort());
    const before = samples.get(key) ?? { labels, value: 0 };
    samples.set(key, { ...before, value: next(before.value) });
  }
  return {
    add: (name, value, labels = {}) => change(name, labels, (before) => before + value),
    set: (name, value, labels = {}) => change(name, labels, () => value),
    samples: () =>
      (Object.keys(FIGURES) as FigureName[]).flatMap((name) => {
        const samples = known.get(name);
        return samples === undefined ? [] : [[name, [...samples.values()]] as const];
      }),
  };
}

/**
 * The figures of one run in Prometheus' text format 0.0.4, as a node exporter reads them from a file. All are gauges: each
 * run writes its own values, so none of them only grows.
 */
export function prometheusText(figures: Pick<Figures, "samples">): string {
  return figures
    .samples()
    .map(([name, samples]) => {
      const head = `# HELP ${name} ${FIGURES[name].help}.\n# TYPE ${name} gauge\n`;
      return head + samples.map((sample) => `${name}${labelsOf(sample)} ${sample.value}\n`).join("");
    })
    .join("");
}

function labelsOf({ labels }: Sample): string {
  const all = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return all.length === 0 ? "" : `{${all.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
