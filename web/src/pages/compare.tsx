// The same message on two profiles or versions, side by side, with what differs marked.

import {signal} from "@preact/signals";
import {useEffect} from "preact/hooks";
import {post} from "../api";
import {Field, Marked, Problem, ProfileField} from "../parts/ui";
import {DecisionPicture} from "../picture/decision";
import {place} from "../place";
import {profileName, profiles, texts} from "../state";
import type {Decision} from "../types";

const left = signal("");
const right = signal("");
const message = signal("");
const pair = signal<[Decision, Decision] | null>(null);
const problem = signal<unknown>(null);

// What only measures, or only repeats what was asked, is no difference.
const measures = new Set(["trace", "elapsed_us", "profile", "session_id"]);

export function differences(a: Decision, b: Decision): [string, string, string][] {
  return (Object.keys(a) as (keyof Decision)[])
    .filter(field => !measures.has(field))
    .map((field): [string, string, string] => [field, JSON.stringify(a[field]), JSON.stringify(b[field])])
    .filter(([, one, other]) => one !== other);
}

export function DifferenceTable({rows, names}: {rows: [string, string, string][]; names: [string, string]}) {
  const t = texts.value.compare;
  return <table class="differences">
    <caption class="sr">{t.fields}</caption>
    <thead><tr><th scope="col">{t.field}</th><th scope="col">{names[0]}</th><th scope="col">{names[1]}</th></tr></thead>
    <tbody>{rows.map(([field, one, other]) => <tr key={field}><th scope="row">{field}</th>
      <td class="was">{one}</td><td class="now">{other}</td></tr>)}</tbody>
  </table>;
}

async function compare() {
  if (!message.value.trim()) return;
  try {
    const [one, other] = await Promise.all([left.value, right.value].map(profile =>
      post<Decision>("/v1/route", {query: message.value, profile})));
    pair.value = [one!, other!];
    problem.value = null;
  } catch (error) {
    problem.value = error;
  }
}

export function Compare() {
  const t = texts.value.compare;
  useEffect(() => {
    left.value ||= place.value.with.get("left") ?? profileName.value;
    right.value ||= place.value.with.get("right")
      ?? profiles.value.find(one => one.profile !== left.value)?.profile ?? left.value;
    message.value = place.value.with.get("text") ?? message.value;
    if (place.value.with.get("text")) void compare();
  }, []);
  const rows = pair.value ? differences(...pair.value) : [];
  const marks = rows.map(([field]) => `differs-${field}`).join(" ");
  return <>
    <form class="part" onSubmit={event => {
      event.preventDefault();
      void compare();
    }}>
      <p class="help">{t.intro}</p>
      <Field label={texts.value.playground.message} wide>
        <textarea data-first rows={2} required value={message.value}
          onInput={event => (message.value = event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
            event.preventDefault();
            void compare();
          }} /></Field>
      <div class="row end">
        <ProfileField label={t.left} value={left.value} choose={name => (left.value = name)} />
        <ProfileField label={t.right} value={right.value} choose={name => (right.value = name)} />
        <button class="go">{t.go}</button>
      </div>
      <p class="help"><Marked text={t.versions} /></p>
    </form>
    {problem.value !== null && <Problem of={problem.value} />}
    {pair.value && <>
      <section class="part" aria-label={t.fields}>
        <p role="status"><strong>{rows.length === 0 ? t.same : t.differs(rows.length)}</strong></p>
        {rows.length > 0 && <DifferenceTable rows={rows} names={[left.value, right.value]} />}
      </section>
      <div class={`split even ${marks}`}>
        <div class="column"><h2>{left.value}</h2><DecisionPicture of={pair.value[0]} /></div>
        <div class="column"><h2>{right.value}</h2><DecisionPicture of={pair.value[1]} /></div>
      </div>
    </>}
  </>;
}
