// What is remembered of a conversation: its turns, intents, app and what it waits for.

import {useState} from "preact/hooks";
import {get, remove} from "../api";
import {moment} from "../format";
import {Field, Problem, Section, useLoaded} from "../parts/ui";
import {address, note, place} from "../place";
import {texts} from "../state";
import type {Session} from "../types";

interface List {
  store: string;
  count: number;
  sessions: {id: string; touched: number}[];
}

function pretty(state: string): string {
  try {
    return JSON.stringify(JSON.parse(state), null, 2);
  } catch {
    return state;
  }
}

function Awaiting({of}: {of: Session}) {
  const t = texts.value.sessions;
  if (!of.awaiting) return <p class="help">{t.nothingAwaited}</p>;
  return <>
    <p><span class="plate amber">{of.awaiting.kind}</span> {of.awaiting.text}</p>
    {of.awaiting.options.length > 0 && <p class="words"><span class="help">{t.options}</span>
      {of.awaiting.options.map(option => <code key={option}>{option}</code>)}</p>}
  </>;
}

function Opened({id, gone}: {id: string; gone: () => void}) {
  const t = texts.value.sessions;
  const {value: of, problem, again} = useLoaded(stop => get<Session>(`/v1/sessions/${encodeURIComponent(id)}`, stop), [id]);
  const [failed, setFailed] = useState<unknown>();
  if (problem !== undefined) return <Problem of={problem} again={again} />;
  if (!of || of.id !== id) return <p class="help">{texts.value.loading}</p>;
  const forget = async () => {
    if (!confirm(t.sure)) return;
    try {
      await remove(`/v1/sessions/${encodeURIComponent(id)}`);
      gone();
    } catch (error) {
      setFailed(error);
    }
  };
  return <article class="picture" aria-label={id}>
    <h2>{id}</h2>
    <p class="help">{of.profile} · {t.touched} {moment(of.touched)}</p>
    {failed !== undefined && <Problem of={failed} />}
    <div class="row">
      <a class="button quiet" href={address("playground", {session: id, profile: of.profile ?? ""})}>{t.play}</a>
      <a class="button quiet" href={address("decisions", {session: id})}>{t.decisions}</a>
      <button type="button" class="quiet danger" onClick={() => void forget()}>{t.forget}</button>
    </div>
    <Section title={t.messages}>
      <ol class="messages">{of.messages.map((message, i) => <li key={i} class={message.role}>
        <small>{message.role}</small><p>{message.content}</p></li>)}</ol>
    </Section>
    <Section title={t.intents}>
      {of.intents.length === 0 && <p class="help">{texts.value.nothing}</p>}
      <ol class="intents">{of.intents.map((intent, i) => <li key={i}><code>{intent.type}</code> {intent.topic}</li>)}</ol>
    </Section>
    <Section title={t.awaiting}><Awaiting of={of} /></Section>
    <Section title={t.app}>
      {of.active_app ? <p><code>{of.active_app}</code></p> : <p class="help">{t.noApp}</p>}
      {of.app_state && <details open><summary>{t.state}</summary><pre tabIndex={0}>{pretty(of.app_state)}</pre></details>}
    </Section>
    {of.results && of.results.length > 0 && <Section title={t.results}>
      <ol>{of.results.map((item, i) => <li key={i}>{item}</li>)}</ol></Section>}
  </article>;
}

export function Sessions() {
  const t = texts.value.sessions;
  const [id, setId] = useState(place.value.with.get("id") ?? "");
  const {value, problem, again} = useLoaded(stop => get<List>("/v1/sessions", stop), []);
  const open = (chosen: string) => {
    setId(chosen);
    note("sessions", {id: chosen});
  };
  return <div class="split narrow">
    <div class="column">
      <form class="part" onSubmit={event => {
        event.preventDefault();
        open(String(new FormData(event.currentTarget).get("id")).trim());
      }}>
        <div class="row end">
          <Field label={t.find}><input data-first name="id" required spellcheck={false} autocomplete="off" /></Field>
          <button class="go">{t.open}</button>
        </div>
      </form>
      {problem !== undefined && <Problem of={problem} again={again} />}
      {value && <section class="part" aria-label={t.list}>
        <p class="help">{t.intro(value.count, value.store)}</p>
        {value.sessions.length === 0 && <p>{texts.value.nothing}</p>}
        <ul class="choices">{value.sessions.map(one => <li key={one.id}>
          <button type="button" aria-pressed={one.id === id} onClick={() => open(one.id)}>
            <span>{one.id}</span><small>{moment(one.touched)}</small></button></li>)}</ul>
      </section>}
    </div>
    <div class="column">
      {id ? <Opened id={id} gone={() => {
        open("");
        again();
      }} /> : <p class="help">{t.choose}</p>}
    </div>
  </div>;
}
