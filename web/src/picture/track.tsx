// The thirteen steps as stations of one track, with the time each took on a common line.

import {micros} from "../format";
import {texts} from "../state";
import type {Decision} from "../types";

const steps = [
  "normalize", "context", "awaiting", "fast_path", "references", "cache", "probes", "gatekeeper", "classifier",
  "supervisor", "plan", "dispatch", "record",
];

const stepOf: Record<string, string> = {
  declared: "awaiting", awaiting: "awaiting", fast_path: "fast_path", cache: "cache", gatekeeper: "gatekeeper",
  llm: "classifier", ensemble: "classifier", heuristic: "classifier", fallback: "classifier",
};

interface Station {
  step: string;
  outcome: string | null;  // null: it was not needed
  us: number;
  from: number;
  decided: boolean;
}

export function stations(of: Decision): Station[] {
  // A rule of stage `always` decides in the step that looks at what is awaited; where a model is asked first, the
  // gatekeeper answers from within the classifier's step.
  const ran = (step: string) => of.trace.some(line => line.step === step);
  const usual = stepOf[of.decided_by] ?? "";
  const decider = ran(usual) ? usual : usual === "fast_path" ? "awaiting" : "classifier";
  const names = [...steps, ...of.trace.map(line => line.step).filter(step => !steps.includes(step))];
  let clock = 0;
  return names.map(step => {
    const line = of.trace.find(one => one.step === step);
    const from = clock;
    clock += line?.us ?? 0;
    return {step, outcome: line?.outcome ?? null, us: line?.us ?? 0, from, decided: step === decider && !!line};
  });
}

export function Track({of}: {of: Decision}) {
  const t = texts.value;
  const all = stations(of);
  const whole = Math.max(1, all.reduce((sum, one) => sum + one.us, 0));
  return <ol class="track">
    {all.map(one => <li key={one.step}
      class={one.decided ? "decided" : one.outcome === null ? "dark" : one.step === "supervisor" && of.supervisor.changed
        ? "changed" : "ran"}>
      <span class="rail" aria-hidden="true"><i /></span>
      <span class="step">{t.steps[one.step] ?? one.step}</span>
      <span class="outcome">{one.outcome ?? t.picture.notNeeded}
        {one.decided && <b class="here">{t.picture.decidedHere}</b>}</span>
      <span class="line" aria-hidden="true">
        {one.outcome !== null && <i style={{left: `${(99 * one.from) / whole}%`, width: `${(99 * one.us) / whole}%`}} />}
      </span>
      <span class="us">{one.outcome === null ? "" : micros(one.us)}</span>
    </li>)}
  </ol>;
}
