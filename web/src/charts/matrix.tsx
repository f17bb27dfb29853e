// A confusion matrix one can click into: a table, so it reads as one, with the labels that are confused most.

import {useState} from "preact/hooks";
import {chance} from "../format";
import {texts} from "../state";
import type {Report} from "../types";

const most = 24;  // labels

export function matrixLabels(of: Report): string[] {
  const errors = new Map<string, number>();
  for (const {expected, got, count} of of.confusions)
    for (const label of [expected, got]) errors.set(label, (errors.get(label) ?? 0) + count);
  return [...errors].sort((a, b) => b[1] - a[1]).slice(0, most).map(([label]) => label).sort();
}

export function ConfusionMatrix({of}: {of: Report}) {
  const t = texts.value.quality;
  const [cell, setCell] = useState<{expected: string; got: string}>();
  const labels = matrixLabels(of);
  if (labels.length === 0) return <p class="help">{t.noConfusions}</p>;
  const counts = new Map(of.confusions.map(one => [`${one.expected}\t${one.got}`, one.count]));
  const peak = Math.max(...of.confusions.map(one => one.count));
  const right = (label: string) => {
    const figures = of.routes[label];
    return figures ? Math.round(figures.recall * figures.support) : 0;
  };
  const shown = of.mistakes?.filter(one => one.expected === cell?.expected && one.got === cell?.got) ?? [];
  return <>
    <div class="scroll matrix-box" tabIndex={0} role="group" aria-label={t.matrix}><table class="matrix">
      <caption class="sr">{t.matrixHelp}</caption>
      <thead><tr><td />{labels.map(label => <th key={label} scope="col"><span>{label}</span></th>)}</tr></thead>
      <tbody>{labels.map(expected => <tr key={expected}><th scope="row">{expected}</th>
        {labels.map(got => {
          if (expected === got) return <td key={got} class="right">{right(expected) || ""}</td>;
          const count = counts.get(`${expected}\t${got}`) ?? 0;
          if (count === 0) return <td key={got} />;
          const strength = Math.ceil((5 * count) / peak);
          return <td key={got}><button type="button" class={`heat-${strength}`}
            aria-pressed={cell?.expected === expected && cell.got === got}
            aria-label={`${t.mistakes(expected, got)}: ${count}`} onClick={() => setCell({expected, got})}>{count}</button></td>;
        })}</tr>)}</tbody>
    </table></div>
    <div role="status">{cell && <>
      <h4>{t.mistakes(cell.expected, cell.got)}</h4>
      {shown.length === 0 && <p class="help">{t.noTexts}</p>}
    </>}</div>
    {shown.length > 0 && <ul class="choices mistakes">{shown.map((one, i) => <li key={i}><span>{one.text}</span>
      {one.confidence !== null && <span class="figure">{chance(one.confidence)}</span>}</li>)}</ul>}
  </>;
}
