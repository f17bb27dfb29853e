// How sure the router was, of the route and of what else it could have been, against the profile's thresholds.

import {chance} from "../format";
import {tierColour} from "../parts/ui";
import {texts} from "../state";
import type {Decision, Thresholds} from "../types";

export function Confidence({of, thresholds}: {of: Decision; thresholds?: Thresholds}) {
  const t = texts.value.picture;
  const rows = [
    {name: of.route ?? t.noRoute, confidence: of.confidence, note: "", colour: tierColour[of.tier]},
    ...of.intents.map(one => ({name: one.route, confidence: one.confidence, note: one.text, colour: "blue"})),
    ...of.alternatives.map(one => ({name: one.route, confidence: one.confidence, note: "", colour: "off"})),
  ];
  return <div class="bars">
    <ul>
      {rows.map((row, i) => <li key={i}>
        <span class="name">{row.name}{row.note && <small>“{row.note}”</small>}</span>
        <span class="bar" aria-hidden="true">
          <i class={row.colour} style={{width: `${100 * row.confidence}%`}} />
          {thresholds && [thresholds.clear, thresholds.confirm].map(at =>
            <s key={at} style={{left: `${100 * at}%`}} />)}
        </span>
        <span class="figure">{chance(row.confidence)}</span>
      </li>)}
    </ul>
    {thresholds && <p class="help legend">
      {t.clearAbove(chance(thresholds.clear))} · {t.confirmFrom(chance(thresholds.confirm))}</p>}
  </div>;
}
