import { FIGURES, type Figures, type Sample } from "./figures.js";

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
