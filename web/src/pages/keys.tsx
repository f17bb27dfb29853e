// Who has a key, a new one, and one less: for servers that ask for keys.

import {useState} from "preact/hooks";
import {get, post, remove} from "../api";
import {number} from "../format";
import {Field, Notice, Problem, Section, useLoaded} from "../parts/ui";
import {texts} from "../state";
import type {KeyList} from "../types";

export function Keys() {
  const t = texts.value.keys;
  const {value, problem, again} = useLoaded(stop => get<KeyList>("/v1/keys", stop), []);
  const [made, setMade] = useState("");
  const [said, setSaid] = useState("");
  const [failed, setFailed] = useState<unknown>();
  if (problem !== undefined) return <Problem of={problem} again={again} />;
  if (!value) return <p class="help">{texts.value.loading}</p>;
  if (!value.enabled) return <Notice text={t.off} />;
  const act = async (work: () => Promise<void>) => {
    try {
      await work();
      setFailed(undefined);
      again();
    } catch (error) {
      setFailed(error);
    }
  };
  const make = (form: HTMLFormElement) => act(async () => {
    const said = new FormData(form);
    const got = await post<{key: string}>("/v1/keys", {
      name: said.get("name"), scope: said.getAll("scope").join(","), rate: said.get("rate") || undefined,
      concurrency: Number(said.get("concurrency") || 0),
    });
    setMade(got.key);
    form.reset();
  });
  const revoke = (id: string, name: string) => confirm(t.sure(name)) && act(async () => {
    await remove(`/v1/keys/${id}`);
    setSaid(t.revoked);
  });
  return <>
    {failed !== undefined && <Problem of={failed} />}
    <p role="status" class="help">{said}</p>
    <Section title={t.list}><div class="scroll"><table>
      <thead><tr>{[t.id, t.nameOf, t.scope, t.rate, t.concurrency, ""].map((word, i) =>
        <th key={i} scope="col">{word}</th>)}</tr></thead>
      <tbody>{value.keys.map(one => <tr key={one.id}>
        <td><code>{one.id}</code></td><td>{one.name}</td><td>{one.scope}</td>
        <td>{one.rate ? `${number(one.rate, one.rate < 1 ? 2 : 0)}/s` : t.noLimit}</td>
        <td>{one.concurrency || t.noLimit}</td>
        <td>{one.id === value.own ? <span class="plate green">{t.own}</span>
          : <button type="button" class="quiet danger" aria-label={t.revokeOne(one.name)}
            onClick={() => void revoke(one.id, one.name)}>{t.revoke}</button>}</td>
      </tr>)}</tbody>
    </table></div></Section>
    <Section title={t.make}>
      <form onSubmit={event => {
        event.preventDefault();
        void make(event.currentTarget);
      }}>
        <div class="row end">
          <Field label={t.nameOf}><input data-first name="name" required pattern="[A-Za-z0-9_.\-]+" maxLength={64} /></Field>
          <Field label={t.rate}><input name="rate" placeholder={t.rateHint} pattern="[0-9.]+/[sm]" size={10} /></Field>
          <Field label={t.concurrency}><input name="concurrency" type="number" min="0" placeholder={t.noLimit} /></Field>
        </div>
        <fieldset class="row"><legend>{t.scope}</legend>
          {(["route", "chat", "admin"] as const).map(scope => <label key={scope} class="tick">
            <input type="checkbox" name="scope" value={scope} defaultChecked={scope !== "admin"} />{t.scopes[scope]}</label>)}
        </fieldset>
        <button class="go">{t.make}</button>
      </form>
      {made && <div class="notice" role="status"><p>{t.made}</p><code class="secret">{made}</code>
        <button type="button" class="quiet" onClick={() => void navigator.clipboard?.writeText(made).then(() => setSaid(t.copied))}>
          {t.copy}</button></div>}
    </Section>
  </>;
}
