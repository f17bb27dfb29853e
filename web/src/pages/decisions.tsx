// The log: search, filter, look into one decision, run it again, and say what it should have been.

import {useEffect, useRef, useState} from "preact/hooks";
import {ApiError, get, post} from "../api";
import {chance, moment} from "../format";
import {Judge} from "../parts/judge";
import {Field, Lamp, Notice, Problem, ProfileField, tierColour} from "../parts/ui";
import {VirtualList} from "../parts/virtual_list";
import {DecisionPicture, Said} from "../picture/decision";
import {address, note, place} from "../place";
import {find, profiles, texts} from "../state";
import type {Replayed, Row} from "../types";
import {DifferenceTable} from "./compare";

const names = ["q", "profile", "route", "tier", "decided_by", "feedback", "rule", "below", "session", "id"] as const;
type Filter = Partial<Record<(typeof names)[number], string>>;

function fromPlace(): Filter {
  return Object.fromEntries(names.map(name => [name, place.value.with.get(name) ?? ""]));
}

function Choice({label, value, options, choose}: {
  label: string; value?: string; options: [string, string][]; choose: (value: string) => void;
}) {
  return <Field label={label}><select value={value ?? ""} onChange={event => choose(event.currentTarget.value)}>
    <option value="">{texts.value.decisions.any}</option>
    {options.map(([name, word]) => <option key={name} value={name}>{word}</option>)}
  </select></Field>;
}

function Filters({of, set}: {of: Filter; set: (filter: Filter) => void}) {
  const t = texts.value.decisions;
  const put = (name: keyof Filter) => (value: string) => set({...of, [name]: value});
  const chosen = profiles.value.filter(one => !of.profile || one.profile === of.profile);
  const routes = [...new Set(chosen.flatMap(one => one.routes.map(route => route.name)))];
  const rules = [...new Set(chosen.flatMap(one => one.contract.map(rule => rule.id)))];
  const same = (words: string[]): [string, string][] => words.map(word => [word, word]);
  return <form class="part filters" role="search" aria-label={t.filters} onSubmit={event => event.preventDefault()}>
    <Field label={t.search} wide><input data-first type="search" value={of.q ?? ""}
      onInput={event => put("q")(event.currentTarget.value)} /></Field>
    <ProfileField value={of.profile ?? ""} choose={put("profile")} empty={t.any} />
    <Choice label={t.route} value={of.route} options={[["none", t.none], ...same(routes)]} choose={put("route")} />
    <Choice label={t.tier} value={of.tier} options={Object.entries(texts.value.tiers)} choose={put("tier")} />
    <Choice label={t.decidedBy} value={of.decided_by} options={Object.entries(texts.value.deciders)}
      choose={put("decided_by")} />
    <Choice label={t.feedback} value={of.feedback} options={Object.entries(t.judged)} choose={put("feedback")} />
    <Choice label={t.rule} value={of.rule} options={[["any", "…"], ...same(rules)]} choose={put("rule")} />
    <Field label={t.below}><input type="number" min="0" max="1" step="0.05" value={of.below ?? ""}
      onInput={event => put("below")(event.currentTarget.value)} /></Field>
    {Object.values(of).some(Boolean) && <button type="button" class="quiet" onClick={() => set({})}>{t.clear}</button>}
  </form>;
}

function Replay({row}: {row: Row}) {
  const t = texts.value.decisions;
  const [on, setOn] = useState("");
  const [done, setDone] = useState<Replayed>();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    setDone(undefined);
    setProblem(undefined);
  }, [row.id]);
  const run = async () => {
    try {
      setDone(await post<Replayed>(`/v1/decisions/${row.id}/replay`, on ? {profile: on} : {}));
      setProblem(undefined);
    } catch (error) {
      setProblem(error);
    }
  };
  return <div class="replay">
    <div class="row end">
      <ProfileField label={t.replayOn} value={on} choose={setOn} empty={t.itself} />
      <button type="button" class="go" onClick={() => void run()}>{t.replay}</button>
    </div>
    {problem !== undefined && <Problem of={problem} />}
    <div role="status">
      {done && <p><Lamp colour={done.same ? "green" : "amber"} /> {done.error || (done.same ? t.same : t.differs)}</p>}
      {done?.redacted && <p class="help">{t.redacted}</p>}
    </div>
    {done && !done.same && <DifferenceTable names={[texts.value.compare.then, texts.value.compare.now]}
      rows={done.changes.map(change => [change.field, change.before, change.after])} />}
  </div>;
}

// Pages of rows, fetched as the list nears its end. A new filter starts over; an old answer is dropped.
function useRows(filter: Filter) {
  const [rows, setRows] = useState<Row[]>([]);
  const [problem, setProblem] = useState<unknown>();
  // Of the search under way; another search gets another object, so that late answers are known as such.
  const state = useRef({next: 0 as number | null, busy: true});
  const more = async () => {
    const at = state.current;
    if (at.busy || at.next === null) return;
    at.busy = true;
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
    query.set("limit", "100");
    if (at.next) query.set("cursor", String(at.next));
    try {
      const page = await get<{decisions: Row[]; next: number | null}>(`/v1/decisions?${query}`);
      if (at !== state.current) return;
      at.next = page.next;
      at.busy = false;
      setRows(known => [...known, ...page.decisions]);
      if (page.decisions.length === 0 && page.next !== null) void more();
    } catch (error) {
      if (at !== state.current) return;
      at.next = null;
      at.busy = false;
      setProblem(error);
    }
  };
  const restart = () => {
    state.current = {next: 0, busy: false};
    setRows([]);
    setProblem(undefined);
    void more();
  };
  useEffect(() => {
    const wait = setTimeout(restart, rows.length ? 200 : 0);
    return () => clearTimeout(wait);
  }, [JSON.stringify(filter)]);
  const replace = (row: Row) => setRows(known => known.map(one => (one.id === row.id ? row : one)));
  return {rows, problem, more: () => void more(), restart, replace, hasMore: state.current.next !== null};
}

export function Decisions() {
  const t = texts.value.decisions;
  const [filter, setFilter] = useState(fromPlace);
  const [chosen, setChosen] = useState(-1);
  const {rows, problem, more, restart, replace, hasMore} = useRows(filter);
  useEffect(() => setFilter(fromPlace()), [place.value]);
  useEffect(() => note("decisions", filter as Record<string, string>), [filter]);
  useEffect(() => setChosen(filter.id && rows.length === 1 ? 0 : -1), [JSON.stringify(filter), rows.length === 0]);
  if (problem instanceof ApiError && problem.status === 404) return <Notice text={t.noLog} />;
  const row = rows[chosen];
  return <>
    <Filters of={filter} set={setFilter} />
    {problem !== undefined && <Problem of={problem} again={restart} />}
    <div class="split narrow">
      <div class="column list">
        <VirtualList items={rows} height={56} label={t.list} chosen={chosen} choose={setChosen} more={more}
          foot={<>{t.shown(rows.length, hasMore)} <button type="button" class="quiet" onClick={restart}>{t.refresh}</button></>}
          row={one => <div class="entry">
            <Lamp colour={tierColour[one.decision.tier] ?? "off"} label={one.decision.tier} />
            <span class="query">{one.request.query}</span>
            <span class="route">{one.decision.route ?? "–"}</span>
            <small>{moment(one.at)} · {one.decision.profile} · {one.decision.decided_by}
              {one.feedback && ` · ${one.feedback.rating === "up" ? "✓" : "✗"}`}
              {one.decision.contract.violations.length > 0 && ` · ${one.decision.contract.violations.join(", ")}`}</small>
            <span class="figure">{chance(one.decision.confidence)}</span>
          </div>} />
      </div>
      <div class="column">
        <Said of={row?.decision} />
        {!row ? <p class="help">{t.choose}</p> : <>
          <h2>{row.request.query}</h2>
          <p class="help">{row.id} · {moment(row.at)}{row.caller && ` · ${t.caller} ${row.caller}`}
            {` · ${t.version} ${row.version.slice(0, 8)}`}
            {find(row.decision.profile)?.version !== row.version && " ≠"}</p>
          <section class="part" aria-label={t.replay}>
            <Judge id={row.id} decision={row.decision} given={row.feedback}
              done={feedback => replace({...row, feedback})} />
            <Replay row={row} />
          </section>
          <DecisionPicture of={row.decision} />
          <p><a href={address("compare", {left: row.decision.profile, text: row.request.query})}>
            {texts.value.compare.with}</a></p>
        </>}
      </div>
    </div>
  </>;
}
