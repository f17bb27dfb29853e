// Say something, see the answer stream, and beside it why it went where it went.

import {signal} from "@preact/signals";
import {useEffect, useRef} from "preact/hooks";
import {ApiError, chat, route} from "../api";
import {Attachments, attached} from "../parts/attachments";
import {Judge} from "../parts/judge";
import {Field, Notice, Problem, ProfileField} from "../parts/ui";
import {SqlPanel} from "../parts/sql_panel";
import {DecisionPicture, Said} from "../picture/decision";
import {address, place} from "../place";
import {profileName, texts} from "../state";
import type {Decision} from "../types";

interface Turn {
  said: string;
  answer: string;
  decision?: Decision;
  id: string;
  state: "waits" | "streams" | "done" | "stopped";
  problem?: unknown;
  profile: string;
}

const turns = signal<Turn[]>([]);
const message = signal("");
const session = signal("");
const onlyRoute = signal(false);
let running: AbortController | undefined;

function change(part: Partial<Turn>) {
  turns.value = [...turns.value.slice(0, -1), {...turns.value[turns.value.length - 1]!, ...part}];
}

async function decideOnly(said: string, stop: AbortSignal): Promise<void> {
  const {decision, id} = await route({
    query: said, profile: profileName.value, session_id: session.value || undefined, attachments: attached.value,
  }, stop);
  change({decision, id, state: "done"});
}

async function converse(said: string, stop: AbortSignal): Promise<void> {
  const earlier = session.value ? [] : turns.value.slice(0, -1).slice(-8)
    .filter(turn => turn.answer && turn.profile === profileName.value)
    .flatMap(turn => [{role: "user", content: turn.said}, {role: "assistant", content: turn.answer}]);
  let answer = "";
  await chat({
    model: profileName.value,
    messages: [...earlier, {role: "user", content: said}],
    signalbox: {session_id: session.value || undefined, attachments: attached.value},
  }, {
    id: id => change({id, state: "streams"}),
    decision: decision => change({decision}),
    text: piece => change({answer: (answer += piece)}),
  }, stop);
  change({state: "done"});
}

async function send(said: string) {
  if (!said.trim() || running) return;
  message.value = "";
  running = new AbortController();
  turns.value = [...turns.value, {said, answer: "", id: "", state: "waits", profile: profileName.value}];
  try {
    await (onlyRoute.value ? decideOnly : converse)(said, running.signal);
    attached.value = [];
  } catch (problem) {
    if (running.signal.aborted) change({state: "stopped"});
    else if (problem instanceof ApiError && problem.decision)
      change({state: "done", decision: problem.decision, problem});
    else change({state: "done", problem});
  }
  running = undefined;
}

const samples: Record<string, string[]> = {
  assistant: ["how much of my quota is left?", "write a Python function that reverses a list"],
  agents: ["Quantos pedidos temos por estado?", "what is a data lake?"],
  workspace: ["show customers created last week", "show my customers and delete the old invoices"],
  knowledge: ["tickets linked to PROJ-100", "compare the retry policy of billing and mail, and find who wrote each"],
  miniapps: ["plan a trip to Tokyo", "what's left?"],
};

function Form() {
  const t = texts.value.playground;
  const busy = turns.value.at(-1)?.state === "waits" || turns.value.at(-1)?.state === "streams";
  return <form class="say part" onSubmit={event => {
    event.preventDefault();
    void send(message.value);
  }}>
    <div class="row">
      <ProfileField />
      <Field label={t.session}>
        <span class="joined">
          <input value={session.value} placeholder={t.sessionHint} autocomplete="off" spellcheck={false}
            onInput={event => (session.value = event.currentTarget.value)} />
          <button type="button" class="quiet" onClick={() => (session.value =
            `page-${crypto.randomUUID().slice(0, 8)}`)}>{t.newSession}</button>
        </span>
      </Field>
    </div>
    <Field label={t.message} wide>
      <textarea data-first rows={3} value={message.value} placeholder={t.messageHint} required
        onInput={event => (message.value = event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== "Enter" || event.isComposing || (event.shiftKey && !event.ctrlKey)) return;
          event.preventDefault();
          void send(message.value);
        }} />
    </Field>
    <Attachments />
    <div class="row end">
      <label class="tick"><input type="checkbox" checked={onlyRoute.value}
        onChange={event => (onlyRoute.value = event.currentTarget.checked)} />{t.onlyRoute}</label>
      {busy ? <button type="button" class="go" onClick={() => running?.abort()}>{t.stop}</button>
        : <button class="go">{t.send}</button>}
    </div>
    {turns.value.length === 0 && samples[profileName.value] && <p class="samples"><span class="help">{t.examples}</span>
      {samples[profileName.value]!.map(text => <button key={text} type="button" class="quiet"
        onClick={() => void send(text)}>{text}</button>)}</p>}
  </form>;
}

function Answer({turn}: {turn: Turn}) {
  const t = texts.value.playground;
  const noModel = turn.problem instanceof ApiError && turn.problem.code === "no_model";
  const ask = turn.decision?.ask;
  return <section class="part answer" aria-label={t.answer}>
    <p class="said"><span class="help">{t.youSaid}</span> {turn.said}</p>
    <p class="sr" role="status">{turn.state === "done" && !turn.problem ? t.answered
      : turn.state === "streams" || turn.state === "waits" ? t.answering : ""}</p>
    {turn.answer && <div class="text">{turn.answer}
      {turn.state === "streams" && <span class="cursor" aria-hidden="true" />}</div>}
    {!turn.answer && (turn.state === "waits" || turn.state === "streams") &&
      <p class="waiting" aria-hidden="true"><i /><i /><i /></p>}
    {turn.state === "stopped" && <p class="help">{t.stopped}</p>}
    {noModel ? <Notice text={t.noModel} /> : turn.problem !== undefined && <Problem of={turn.problem} />}
    {ask && turn.state === "done" && <div class="ask">
      <p>{turn.answer ? t.question : ask.text}</p>
      {ask.options.map(option => <button key={option} type="button" class="quiet"
        onClick={() => void send(option)}>{option}</button>)}
    </div>}
    {turn.id && turn.decision && turn.state === "done" && <Judge id={turn.id} decision={turn.decision} />}
  </section>;
}

export function Playground() {
  const t = texts.value.playground;
  const last = turns.value.at(-1);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) return;
    first.current = false;
    const {with: given} = place.value;
    if (given.get("session")) session.value = given.get("session")!;
    if (given.get("profile")) profileName.value = given.get("profile")!;
    if (given.get("text")) message.value = given.get("text")!;
    const stop = (event: KeyboardEvent) => event.key === "Escape" && running?.abort();
    addEventListener("keydown", stop);
    return () => removeEventListener("keydown", stop);
  }, []);
  return <div class="split">
    <div class="column">
      <Form />
      {last ? <Answer turn={last} /> : <p class="help">{t.empty}</p>}
      {last?.decision && <SqlPanel decision={last.decision} />}
      {turns.value.length > 1 && <details class="part"><summary>{t.turns}</summary>
        <ol class="turns">{turns.value.slice(0, -1).reverse().map((turn, i) => <li key={i}>
          <b>{turn.said}</b>{turn.decision && <code>{turn.decision.route ?? turn.decision.tier}</code>}
          {turn.answer && <p>{turn.answer}</p>}</li>)}</ol></details>}
    </div>
    <div class="column">
      <Said of={last?.decision} />
      {last?.decision && <>
        <DecisionPicture of={last.decision} />
        <p><a href={address("compare", {left: last.decision.profile, text: last.said})}>{texts.value.compare.with}</a></p>
      </>}
    </div>
  </div>;
}
