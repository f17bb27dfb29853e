// What happens now: rates, latency, how often a model was asked, and what was spared.

import {signal} from "@preact/signals";
import {useEffect, useState} from "preact/hooks";
import {get, getText} from "../api";
import {LineChart} from "../charts/line_chart";
import {micros, number, share} from "../format";
import {by, parseMetrics, quantile, sum, type Series} from "../metrics";
import {Field, Lamp, Problem, ProfileField, Section} from "../parts/ui";
import {language, texts} from "../state";

interface Reading {
  at: number;
  series: Series[];
}

interface Slot {
  profile: string;
  slot: string;
  model: string;
  state: string;
  problem: string;
}

const every = 2000, kept = 150;  // five minutes
const readings = signal<Reading[]>([]);
const price = signal(Number(localStorage.getItem("signalbox.price") ?? 0));

function useReadings(pauses: boolean) {
  const [problem, setProblem] = useState<unknown>();
  const [slots, setSlots] = useState<Slot[]>([]);
  useEffect(() => {
    if (pauses) return;
    const stop = new AbortController();
    const read = async () => {
      if (document.hidden) return;
      try {
        const series = parseMetrics(await getText("/metrics", stop.signal));
        readings.value = [...readings.value, {at: Date.now(), series}].slice(-kept);
        setSlots((await get<{slots?: Slot[]}>("/readyz", stop.signal)).slots ?? []);
        setProblem(undefined);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(error);
      }
    };
    void read();
    const timer = setInterval(() => void read(), every);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [pauses]);
  return {problem, slots};
}

// Slots that are bound to the same model and fare alike, together.
function models(slots: Slot[]): Map<string, Slot[]> {
  const out = new Map<string, Slot[]>();
  for (const slot of slots) {
    const words = `${slot.model}\t${slot.state}\t${slot.problem}`;
    out.set(words, [...(out.get(words) ?? []), slot]);
  }
  return out;
}

const clock = (at: number) => new Date(at).toLocaleTimeString(language.value, {hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23"});
const times = (us: number | null) => (us === null ? "–" : micros(us));

function Share({title, rows}: {title: string; rows: [string, number][]}) {
  const all = rows.reduce((total, [, value]) => total + value, 0);
  return <Section title={title}>
    {rows.length === 0 && <p class="help">{texts.value.nothing}</p>}
    <div class="bars"><ul>{rows.slice(0, 12).map(([name, value]) => <li key={name}><span class="name">{name}</span>
      <span class="bar" aria-hidden="true"><i class="green" style={{width: `${(100 * value) / all}%`}} /></span>
      <span class="figure">{number(value)}</span></li>)}</ul></div>
  </Section>;
}

export function Live() {
  const t = texts.value.live;
  const [pauses, setPauses] = useState(false);
  const [profile, setProfile] = useState("");
  const {problem, slots} = useReadings(pauses);
  const fits = (labels: Record<string, string>) => !profile || labels.profile === profile;
  const all = readings.value;
  const now = all.at(-1)?.series ?? [];
  // Each point compares a reading with the one before it.
  const points = all.slice(1).map((reading, i) => {
    const before = all[i]!;
    const made = sum(reading.series, "signalbox_decisions_total", fits) - sum(before.series, "signalbox_decisions_total", fits);
    const byModel = (labels: Record<string, string>) => fits(labels) && /^(llm|ensemble)$/.test(labels.decided_by ?? "");
    const asked = sum(reading.series, "signalbox_decisions_total", byModel) - sum(before.series, "signalbox_decisions_total", byModel);
    const at = (part: number) => {
      const seconds = quantile(reading.series, before.series, "signalbox_decision_seconds", part, fits);
      return seconds === null ? null : seconds * 1e6;
    };
    return {at: reading.at, rate: Math.max(0, (1000 * made) / (reading.at - before.at)), p50: at(0.5), p99: at(0.99),
      llm: made > 0 ? asked / made : null};
  });
  const whole = (part: number) => {
    const seconds = quantile(now, [], "signalbox_decision_seconds", part, fits);
    return seconds === null ? null : seconds * 1e6;
  };
  const decisions = sum(now, "signalbox_decisions_total", fits);
  const withModel = sum(now, "signalbox_decisions_total", labels => fits(labels) && /^(llm|ensemble)$/.test(labels.decided_by ?? ""));
  const avoided = decisions - withModel;
  const last = points.at(-1);
  const stamps = points.map(point => point.at);
  const tiles: [string, string][] = [
    [t.rate, last ? number(last.rate, last.rate < 10 ? 1 : 0) : "–"],
    [t.p50, times(whole(0.5))],
    [t.p99, times(whole(0.99))],
    [t.llmShare, decisions ? share(withModel / decisions) : "–"],
    [t.avoided, number(avoided)],
    [t.cost, price.value > 0 ? number(avoided * price.value, 2) : t.priceHint],
    [t.errors, number(sum(now, "signalbox_http_errors_total"))],
    [t.queue, number(sum(now, "signalbox_queue_length"))],
    [t.memory, `${number(sum(now, "process_resident_memory_bytes") / 2 ** 20)} MiB`],
  ];
  return <>
    <div class="part row end">
      <ProfileField value={profile} choose={setProfile} empty={t.all} />
      <Field label={t.price}><input type="number" min="0" step="any" value={price.value || ""} onInput={event => {
        price.value = Number(event.currentTarget.value) || 0;
        localStorage.setItem("signalbox.price", String(price.value));
      }} /></Field>
      <button type="button" class="quiet" aria-pressed={pauses} onClick={() => setPauses(!pauses)}>{pauses ? t.resume : t.pause}</button>
      <p class="help">{t.intro}</p>
    </div>
    {problem !== undefined && <Problem of={problem} />}
    <dl class="figures tiles">{tiles.map(([name, value]) =>
      <div key={name}><dt>{name}</dt><dd class={value === t.priceHint ? "help" : ""}>{value}</dd></div>)}</dl>
    {points.length === 0 ? <p class="help">{t.waiting}</p> : <section class="part charts" aria-label={t.rates}>
      <LineChart title={t.rates} times={stamps} show={value => number(value, value < 10 ? 1 : 0)} time={clock}
        lines={[{name: t.rate, colour: "c1", values: points.map(point => point.rate)}]} />
      <LineChart title={t.latency} times={stamps} show={micros} time={clock}
        lines={[{name: "p50", colour: "c1", values: points.map(point => point.p50)},
          {name: "p99", colour: "c3", values: points.map(point => point.p99)}]} />
      <LineChart title={t.share} times={stamps} show={value => share(value, 0)} time={clock} max={1}
        lines={[{name: t.llmShare, colour: "c4", values: points.map(point => point.llm)}]} />
    </section>}
    <div class="pair">
      <Share title={`${t.byRoute}, ${t.since}`} rows={by(now, "signalbox_decisions_total", "route", fits)} />
      <Share title={t.byDecider} rows={by(now, "signalbox_decisions_total", "decided_by", fits)
        .map(([name, value]) => [texts.value.deciders[name] ?? name, value])} />
    </div>
    <Section title={t.models}>
      {slots.length === 0 && <p class="help">{t.noModels}</p>}
      <ul class="choices models">{[...models(slots.filter(slot => !profile || slot.profile === profile))].map(([words, its]) =>
        <li key={words}><Lamp colour={its[0]!.state === "reachable" ? "green" : its[0]!.state === "unreachable" ? "red" : "off"} />
          <span><b>{its[0]!.model}</b> {t.states[its[0]!.state]} {its[0]!.problem}</span>
          <small>{its.map(slot => `${slot.profile} ${slot.slot}`).join(", ")}</small></li>)}</ul>
    </Section>
  </>;
}
