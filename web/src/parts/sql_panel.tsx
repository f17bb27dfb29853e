// SQL for a message, where its profile has a database: shown, editable, run under the same guard, with its rows.

import {useEffect, useState} from "preact/hooks";
import {post} from "../api";
import {find, texts} from "../state";
import type {Decision, SqlAnswer} from "../types";
import {Field, Lamp, Notice, Problem, Section} from "./ui";

function Rows({of}: {of: SqlAnswer}) {
  const t = texts.value.sql;
  return <>
    <p class="help" role="status">{[t.rows(of.rows.length), of.cut, ...(of.notes ?? [])].filter(Boolean).join(" · ")}</p>
    {of.columns.length > 0 && <div class="scroll" tabIndex={0} role="group" aria-label={t.rows(of.rows.length)}><table>
      <thead><tr>{of.columns.map(column => <th key={column} scope="col">{column}</th>)}</tr></thead>
      <tbody>{of.rows.slice(0, 500).map((row, i) => <tr key={i}>{row.map((cell, at) =>
        <td key={at}>{cell === null ? "∅" : String(cell)}</td>)}</tr>)}</tbody>
    </table></div>}
  </>;
}

export function SqlPanel({decision}: {decision: Decision}) {
  const t = texts.value.sql;
  const [answer, setAnswer] = useState<SqlAnswer>();
  const [sql, setSql] = useState("");
  const [db, setDb] = useState("");
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    setAnswer(undefined);
    setProblem(undefined);
  }, [decision]);
  const databases = find(decision.profile)?.databases ?? [];
  if (databases.length === 0) return null;
  const run = async (body: object) => {
    try {
      const got = await post<SqlAnswer>("/v1/sql", {...body, profile: decision.profile, db: db || databases[0]});
      setAnswer(got);
      setSql(got.sql ?? "");
      setProblem(undefined);
    } catch (error) {
      setProblem(error);
    }
  };
  return <Section title={t.title}>
    <form class="row end" onSubmit={event => {
      event.preventDefault();
      void run({query: decision.resolved_query});
    }}>
      <Field label={t.database}><select value={db || databases[0]} onChange={event => setDb(event.currentTarget.value)}>
        {databases.map(name => <option key={name} value={name}>{name}</option>)}</select></Field>
      <button class="go">{t.write}</button>
    </form>
    {problem !== undefined && <Problem of={problem} />}
    {answer && <form onSubmit={event => {
      event.preventDefault();
      void run({sql});
    }}>
      <Field label={t.statement} wide><textarea class="mono" rows={4} value={sql} spellcheck={false}
        onInput={event => setSql(event.currentTarget.value)} /></Field>
      <div class="row end"><span class="help">{t.guarded}</span><button class="go">{t.run}</button></div>
      {answer.ask && <Notice text={answer.ask.text} />}
      {answer.refused ? <p class="notice bad" role="alert"><Lamp colour="red" />
        <span><strong>{t.refused}.</strong> {answer.reason?.replace(/^refused: /, "")}</span></p> : <Rows of={answer} />}
    </form>}
  </Section>;
}
