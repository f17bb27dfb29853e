// What the probes found: present, absent, or unknown, which is never the same as absent.

import {Lamp} from "../parts/ui";
import {texts} from "../state";
import type {Decision, Presence} from "../types";

const order: Presence[] = ["present", "unknown", "absent"];
const colours = {present: "green", unknown: "amber", absent: "off"} as const;

function Words({title, words}: {title: string; words: string[]}) {
  if (words.length === 0) return null;
  return <p class="words"><span class="help">{title}</span>
    {words.map(word => <code key={word}>{word}</code>)}</p>;
}

export function Evidence({of}: {of: Decision}) {
  const t = texts.value.picture;
  const names = Object.keys(of.evidence).sort((a, b) =>
    order.indexOf(of.evidence[a]!) - order.indexOf(of.evidence[b]!) || a.localeCompare(b));
  return <>
    {names.length === 0 && <p class="help">{t.noEvidence}</p>}
    <ul class="evidence">
      {names.map(name => <li key={name} class={of.evidence[name]}>
        <Lamp colour={colours[of.evidence[name]!]} />
        <span>{name}</span><small>{t.presences[of.evidence[name]!]}</small>
      </li>)}
    </ul>
    <Words title={t.signals} words={of.signals} />
    <Words title={t.tables} words={of.tables} />
    <Words title={t.columns} words={of.columns} />
  </>;
}
