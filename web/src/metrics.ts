// Prometheus' text as numbers, and what two readings of it say about the time between them.

export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export function parseMetrics(text: string): Series[] {
  const out: Series[] = [];
  for (const line of text.split("\n")) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!found) continue;
    const labels: Record<string, string> = {};
    for (const [, name, value] of (found[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      labels[name!] = value!.replace(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c));
    out.push({name: found[1]!, labels, value: found[3] === "+Inf" ? Infinity : Number(found[3])});
  }
  return out;
}

export function sum(series: Series[], name: string, fits: (labels: Record<string, string>) => boolean = () => true): number {
  return series.reduce((total, one) => (one.name === name && fits(one.labels) ? total + one.value : total), 0);
}

export function by(series: Series[], name: string, label: string, fits: (labels: Record<string, string>) => boolean): [string, number][] {
  const out = new Map<string, number>();
  for (const one of series)
    if (one.name === name && fits(one.labels)) out.set(one.labels[label] ?? "", (out.get(one.labels[label] ?? "") ?? 0) + one.value);
  return [...out].filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
}

// Seconds below which a share of the observations lies, between two readings of a histogram; null without any.
export function quantile(now: Series[], before: Series[], name: string, share: number,
  fits: (labels: Record<string, string>) => boolean): number | null {
  const buckets = new Map<number, number>();
  for (const [series, sign] of [[now, 1], [before, -1]] as const)
    for (const one of series)
      if (one.name === `${name}_bucket` && fits(one.labels)) {
        const bound = one.labels.le === "+Inf" ? Infinity : Number(one.labels.le);
        buckets.set(bound, (buckets.get(bound) ?? 0) + sign * one.value);
      }
  const sorted = [...buckets].sort((a, b) => a[0] - b[0]);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  let below = 0, from = 0;
  for (const [bound, count] of sorted) {
    if (count >= share * all) {
      if (bound === Infinity) return from;
      return from + ((bound - from) * (share * all - below)) / Math.max(1, count - below);
    }
    below = count;
    from = bound;
  }
  return from;
}
