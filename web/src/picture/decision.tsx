// One decision as a picture: the signal that was set, the way to it, and what it rested on.

import {chance, micros} from "../format";
import {Lamp, Section, TierPlate, tierColour} from "../parts/ui";
import {find, texts} from "../state";
import type {Decision} from "../types";
import {Confidence} from "./confidence";
import {Evidence} from "./evidence";
import {PlanGraph} from "./plan_graph";
import {Points} from "./points";
import {Track} from "./track";

function Facts({of}: {of: Decision}) {
  const t = texts.value.picture;
  const rows: [string, string | null][] = [
    [t.why, of.reason],
    [t.decidedBy, texts.value.deciders[of.decided_by] ?? of.decided_by],
    [t.rule, of.rule],
    [t.goesTo, of.target && `${of.target.kind} ${of.target.name}`],
    [t.model, of.model.slot && `${of.model.slot} · ${of.model.name ?? t.noModel}`],
    [t.retrieval, of.retrieval ? t.yes : t.no],
    [t.language, of.language],
    [t.readAs, of.resolved_query !== of.query ? of.resolved_query : null],
    [t.llmCalls, String(of.llm_calls)],
    [t.whole, micros(of.elapsed_us)],
  ];
  return <dl class="facts">
    {rows.filter(([, value]) => value).map(([name, value]) =>
      <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
  </dl>;
}

export function Head({of}: {of: Decision}) {
  const t = texts.value.picture;
  return <div class={`signal ${tierColour[of.tier]}`}>
    <span class="head" aria-hidden="true">
      {(["green", "amber", "red", "blue"] as const).map(colour =>
        <Lamp key={colour} colour={tierColour[of.tier] === colour ? colour : "off"} />)}
    </span>
    <div class="board">
      <p class="route">{of.route ?? (of.ask ? t.asksBack : t.noRoute)}</p>
      <p><TierPlate tier={of.tier} /> <span class="figure">{chance(of.confidence)}</span></p>
    </div>
  </div>;
}

// The decision in one sentence, for whoever hears the page.
export function Said({of}: {of?: Decision}) {
  const t = texts.value;
  return <p class="sr" role="status">{of && [of.route ?? t.picture.noRoute, t.tiers[of.tier], chance(of.confidence),
    t.deciders[of.decided_by]].join(", ")}</p>;
}

export function DecisionPicture({of}: {of: Decision}) {
  const t = texts.value.picture;
  const profile = find(of.profile);
  return <article class="picture" aria-label={t.title}>
    <Head of={of} />
    <Facts of={of} />
    {of.contract.violations.length > 0 &&
      <p class="notice bad" role="alert"><Lamp colour="red" />{t.broken(of.contract.violations.join(", "))}</p>}
    <Section title={t.track} help={t.trackHelp}><Track of={of} /></Section>
    <div class="beside">
      <Section title={t.confidence} help={profile && t.confidenceHelp}>
        <Confidence of={of} thresholds={profile?.thresholds} /></Section>
      <Section title={t.supervisor}><Points of={of} /></Section>
    </div>
    <Section title={t.evidence}><Evidence of={of} /></Section>
    {of.plan && <Section title={t.plan}><PlanGraph plan={of.plan} query={of.resolved_query} /></Section>}
    <details><summary>{t.json}</summary><pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre></details>
  </article>;
}
