// How good it is: evaluation reports, and how confidence and doubt drift in the log.

import {useEffect, useState} from "preact/hooks";
import {ApiError, get} from "../api";
import {LineChart} from "../charts/line_chart";
import {ConfusionMatrix} from "../charts/matrix";
import {Reliability, RiskCoverage} from "../charts/unit_chart";
import {micros, moment, number, share} from "../format";
import {Field, Notice, Problem, ProfileField, Section, useLoaded} from "../parts/ui";
import {profileName, texts} from "../state";
import type {Drift, Report} from "../types";

const figures = [
  "accuracy", "in_scope_accuracy", "macro_f1", "exact_match", "oos_recall", "oos_auroc", "false_accept_rate",
  "false_ask_rate", "ece", "llm_share",
] as const;

function Figures({of}: {of: Report}) {
  const t = texts.value.quality;
  const rows: [string, string][] = [
    [t.names.rows!, number(of.rows)],
    ...figures.filter(name => of[name] !== null).map((name): [string, string] => [t.names[name]!, share(of[name], 2)]),
    [t.latency, `${micros(of.latency_us.p50)} / ${micros(of.latency_us.p99)}`],
  ];
  return <>
    {of.missed?.map(gate => <p key={gate.figure} class="notice bad" role="alert">{t.missed}: {gate.figure}
      {gate.ceiling ? " ≤ " : " ≥ "}{gate.bound}, {gate.value ?? "–"}</p>)}
    <dl class="figures">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
  </>;
}

function Routes({of}: {of: Report}) {
  const t = texts.value.quality;
  const rows = Object.entries(of.routes).filter(([, one]) => one.support > 0).sort((a, b) => a[1].f1 - b[1].f1);
  return <details><summary>{t.routes} ({rows.length})</summary><div class="scroll" tabIndex={0}><table>
    <thead><tr><th scope="col">{texts.value.picture.route}</th><th scope="col">{t.precision}</th>
      <th scope="col">{t.recall}</th><th scope="col">F1</th><th scope="col">{t.support}</th></tr></thead>
    <tbody>{rows.map(([name, one]) => <tr key={name}><th scope="row">{name}</th><td>{share(one.precision)}</td>
      <td>{share(one.recall)}</td><td>{share(one.f1)}</td><td>{number(one.support)}</td></tr>)}</tbody>
  </table></div></details>;
}

function ReportView({name}: {name: string}) {
  const t = texts.value.quality;
  const {value: of, problem, again} = useLoaded(stop => get<Report>(`/v1/reports/${encodeURIComponent(name)}`, stop), [name]);
  if (problem !== undefined) return <Problem of={problem} again={again} />;
  if (!of) return <p class="help">{texts.value.loading}</p>;
  return <>
    <Section title={t.figures} help={of.judged ? `${t.onData(of.judged, of.data ?? "")}${of.at ? ` · ${moment(of.at)}` : ""}` : undefined}>
      <Figures of={of} /></Section>
    {of.reliability && <section class="part pair" aria-label={t.reliability}><Reliability of={of} /><RiskCoverage of={of} /></section>}
    <Section title={t.matrix} help={t.matrixHelp}><ConfusionMatrix key={name} of={of} /><Routes of={of} /></Section>
  </>;
}

function DriftView() {
  const t = texts.value.quality;
  const name = profileName.value;
  const {value: of, problem, again} = useLoaded(
    stop => get<Drift>(`/v1/drift?profile=${encodeURIComponent(name)}`, stop), [name]);
  const noLog = problem instanceof ApiError && problem.status === 404;
  const times = of?.points.map(point => point.at) ?? [];
  const take = (field: "confidence" | "out_of_scope" | "asked" | "llm") => of?.points.map(point => point[field]) ?? [];
  return <Section title={t.drift} help={of && of.rows > 0 ? t.driftHelp(of.rows) : undefined}>
    <ProfileField />
    {noLog ? <p class="help">{texts.value.decisions.noLog}</p> : problem !== undefined && <Problem of={problem} again={again} />}
    {of && of.rows === 0 && <p class="help">{t.noDrift}</p>}
    {of && of.rows > 0 && <>
      <LineChart title={t.meanConfidence} times={times} show={value => share(value, 0)} time={moment} max={1}
        lines={[{name: t.meanConfidence, colour: "c1", values: take("confidence")}]} />
      <LineChart title={t.outOfScope} times={times} show={value => share(value, 0)} time={moment}
        lines={[{name: t.outOfScope, colour: "c2", values: take("out_of_scope")},
          {name: t.asked, colour: "c3", values: take("asked")}, {name: t.llm, colour: "c4", values: take("llm")}]} />
    </>}
  </Section>;
}

export function Quality() {
  const t = texts.value.quality;
  const {value, problem, again} = useLoaded(stop => get<{reports: string[]}>("/v1/reports", stop), []);
  const [name, setName] = useState("");
  useEffect(() => setName(value?.reports[0] ?? ""), [value]);
  return <>
    {problem !== undefined && <Problem of={problem} again={again} />}
    {value && value.reports.length === 0 && <Notice text={t.noReports} />}
    {value && value.reports.length > 0 && <div class="part"><Field label={t.reports}>
      <select data-first value={name} onChange={event => setName(event.currentTarget.value)}>
        {value.reports.map(one => <option key={one} value={one}>{one}</option>)}</select></Field></div>}
    {name && <ReportView name={name} />}
    <DriftView />
  </>;
}
