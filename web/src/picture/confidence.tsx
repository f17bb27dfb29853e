// How sure the router was, of the route and of what else it could have been, against the profile's thresholds.

import {chance} from "../format";
import {tierColour} from "../parts/ui";
import {texts} from "../state";
import type {Decision, Thresholds} from "../types";

export function Confidence({of, thresholds}: {of: Decision; thresholds?: Thresholds}) {
  const t = texts.value.picture;
  const ticks = thresholds ? [thresholds.clear, thresholds.confirm] : [];
  const rows = [
    {name: of.route ?? t.noRoute, confidence: of.confidence, note: "", colour: tierColour[of.tier], ticks},
    ...of.intents.map(one => ({name: one.route, confidence: one.confidence, note: one.text, colour: "blue",
      ticks: thresholds ? [thresholds.multi_intent] : []})),
    ...of.alternatives.map(one => ({name: one.route, confidence: one.confidence, note: "", colour: "off", ticks})),
  ];
  return <div class="bars">
    <ul>
      {rows.map((row, i) => <li key={i}>
        <span class="name">{row.name}{row.note && <small>“{row.note}”</small>}</span>
        <span class="bar" aria-hidden="true">
          <i class={row.colour} style={{width: `${100 * row.confidence}%`}} />
          {row.ticks.map(at =>
            <s key={at} style={{left: `${100 * at}%`}} />)}
        </span>
        <span class="figure">{chance(row.confidence)}</span>
      </li>)}
    </ul>
    {thresholds && <p class="help legend">
      {t.clearAbove(chance(thresholds.clear))} · {t.confirmFrom(chance(thresholds.confirm))}
      {of.intents.length > 0 && ` · ${t.intentFrom(chance(thresholds.multi_intent))}`}</p>}
  </div>;
}
