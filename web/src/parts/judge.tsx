// What someone thinks of a decision: right, or what it should have been. It becomes feedback for training.

import {useEffect, useState} from "preact/hooks";
import {post} from "../api";
import {find, texts} from "../state";
import type {Decision, Feedback} from "../types";
import {Field, Problem} from "./ui";

export function Judge({id, decision, given, done}: {
  id: string; decision: Decision; given?: Feedback | null; done?: (feedback: Feedback) => void;
}) {
  const t = texts.value.decisions;
  const [corrects, setCorrects] = useState(false);
  const [kept, setKept] = useState<Feedback | null>(given ?? null);
  const [isFresh, setFresh] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    setCorrects(false);
    setFresh(false);
    setKept(given ?? null);
    setProblem(undefined);
  }, [id]);
  const keep = async (feedback: Feedback) => {
    try {
      await post("/v1/feedback", {decision_id: id, ...feedback});
      setKept(feedback);
      setFresh(true);
      setCorrects(false);
      setProblem(undefined);
      done?.(feedback);
    } catch (error) {
      setProblem(error);
    }
  };
  const routes = find(decision.profile)?.routes ?? [];
  return <div class="judge">
    <p role="status">{kept && <span class={`plate ${kept.rating === "up" ? "green" : "red"}`}>
      {t.judged[kept.rating]}{kept.route && ` → ${kept.route}`}</span>}
      {isFresh && ` ${t.kept}`}</p>
    {problem !== undefined && <Problem of={problem} />}
    {!corrects && <div class="row">
      <button type="button" class="quiet" onClick={() => void keep({rating: "up", route: "", comment: ""})}>
        {t.right}</button>
      <button type="button" class="quiet" onClick={() => setCorrects(true)}>{t.correct}</button>
    </div>}
    {corrects && <form class="row" onSubmit={event => {
      event.preventDefault();
      const said = new FormData(event.currentTarget);
      void keep({rating: "down", route: String(said.get("route")), comment: String(said.get("comment"))});
    }}>
      <Field label={t.should}><select name="route">
        {routes.filter(route => route.name !== decision.route).map(route =>
          <option key={route.name} value={route.name} title={route.description}>{route.name}</option>)}
      </select></Field>
      <Field label={t.comment}><input name="comment" maxLength={1000} /></Field>
      <button class="go">{t.save}</button>
    </form>}
  </div>;
}
