// The rules a profile's decisions keep, how often each was broken, and the last decisions that did.

import {useState} from "preact/hooks";
import {ApiError, get} from "../api";
import {moment, number} from "../format";
import {Lamp, Notice, Problem, ProfileField, Section, useLoaded} from "../parts/ui";
import {address} from "../place";
import {profileName, texts} from "../state";
import type {Profile, Row} from "../types";

export function Contract() {
  const t = texts.value.contract;
  const [rule, setRule] = useState("any");
  const name = profileName.value;
  const counted = useLoaded(stop => get<{profiles: Profile[]}>("/v1/profiles", stop), [name]);
  const query = new URLSearchParams({rule, profile: name.split("@")[0]!, limit: "50"});
  const broken = useLoaded(stop => get<{decisions: Row[]}>(`/v1/decisions?${query}`, stop), [name, rule]);
  const profile = counted.value?.profiles.find(one => one.profile === name);
  const noLog = broken.problem instanceof ApiError && broken.problem.status === 404;
  return <>
    <div class="part row"><ProfileField /><p class="help">{t.intro}</p></div>
    {counted.problem !== undefined && <Problem of={counted.problem} again={counted.again} />}
    {profile && profile.contract.length === 0 && <Notice text={t.noRules} />}
    {profile && profile.contract.length > 0 && <div class="part scroll"><table class="rules">
      <thead><tr><th scope="col">{t.rule}</th><th scope="col">{t.text}</th><th scope="col">{t.broken}</th></tr></thead>
      <tbody>{profile.contract.map(one => <tr key={one.id} class={rule === one.id ? "chosen" : ""}>
        <th scope="row"><button type="button" class="quiet" aria-pressed={rule === one.id} aria-label={t.show(one.id)}
          onClick={() => setRule(rule === one.id ? "any" : one.id)}>{one.id}</button></th>
        <td>{one.text}</td>
        <td><Lamp colour={one.violations > 0 ? "red" : "green"} /> {one.violations > 0 ? number(one.violations) : t.kept}</td>
      </tr>)}</tbody>
    </table></div>}
    <Section title={rule === "any" ? t.last : `${t.last}: ${rule}`}>
      {noLog ? <p class="help">{texts.value.decisions.noLog}</p>
        : broken.problem !== undefined && <Problem of={broken.problem} again={broken.again} />}
      {broken.value?.decisions.length === 0 && <p class="help">{t.none}</p>}
      <ul class="choices">{broken.value?.decisions.map(row => <li key={row.id}>
        <a href={address("decisions", {id: row.id})}><span>{row.request.query}</span>
          <code>{row.decision.contract.violations.join(", ")}</code><small>{moment(row.at)}</small></a></li>)}</ul>
    </Section>
  </>;
}
