// The two square diagrams of an evaluation: reliability, and risk against coverage.

import type {ComponentChildren} from "preact";
import {number, share} from "../format";
import {texts} from "../state";
import type {Report} from "../types";
import {roundUp} from "./line_chart";

const side = 250, left = 62, bottom = 34, top = 8, right = 8;
const x = (value: number) => left + side * value;
const y = (value: number) => top + side * (1 - value);

function Axes({over, up, high, children, label}: {
  over: string; up: string; high: number; children: ComponentChildren; label: string;
}) {
  return <svg class="unit" viewBox={`0 0 ${left + side + right} ${top + side + bottom}`} role="img" aria-label={label}>
    {[0, 0.25, 0.5, 0.75, 1].map(part => <g key={part} class="grid">
      <line x1={x(0)} x2={x(1)} y1={y(part)} y2={y(part)} />
      <text x={left - 6} y={y(part) + 4} text-anchor="end">{share(part * high, high < 0.2 ? 1 : 0)}</text>
      <text x={x(part)} y={top + side + 14} text-anchor="middle">{number(part, part % 0.5 ? 2 : 1)}</text></g>)}
    <text class="axis" x={x(0.5)} y={top + side + 30} text-anchor="middle">{over}</text>
    <text class="axis" x={12} y={y(0.5)} text-anchor="middle" transform={`rotate(-90 12 ${y(0.5)})`}>{up}</text>
    {children}
  </svg>;
}

export function Reliability({of}: {of: Report}) {
  const t = texts.value.quality;
  const bins = of.reliability ?? [];
  if (bins.every(bin => bin.count === 0)) return null;
  const most = Math.max(...bins.map(bin => bin.count));
  return <figure class="chart"><figcaption>{t.reliability}</figcaption>
    <p class="help">{t.reliabilityHelp}</p>
    <Axes over={t.confidence} up={t.accuracy} high={1} label={t.reliability}>
      {bins.map((bin, i) => bin.count > 0 && <rect key={i} class="column" x={x(i / bins.length) + 1}
        width={side / bins.length - 2} y={y(bin.accuracy)} height={side * bin.accuracy}
        fill-opacity={0.25 + 0.75 * Math.sqrt(bin.count / most)}>
        <title>{`${bin.count}: ${share(bin.confidence)} → ${share(bin.accuracy)}`}</title></rect>)}
      <line class="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
    </Axes>
    <details><summary>{texts.value.picture.asTable}</summary><table>
      <thead><tr><th scope="col">{t.confidence}</th><th scope="col">{t.accuracy}</th><th scope="col">{t.count}</th></tr></thead>
      <tbody>{bins.filter(bin => bin.count > 0).map((bin, i) => <tr key={i}><td>{share(bin.confidence)}</td>
        <td>{share(bin.accuracy)}</td><td>{number(bin.count)}</td></tr>)}</tbody></table></details>
  </figure>;
}

export function RiskCoverage({of}: {of: Report}) {
  const t = texts.value.quality;
  const points = of.risk ?? [];
  if (points.length === 0) return null;
  const high = Math.min(1, roundUp(Math.max(0.01, ...points.map(point => point.risk))));
  const path = points.map((point, i) => `${i ? "L" : "M"}${x(point.coverage).toFixed(1)} ${y(point.risk / high).toFixed(1)}`).join("");
  const every = Math.max(1, Math.floor(points.length / 10));
  return <figure class="chart"><figcaption>{t.risk}</figcaption>
    <p class="help">{t.riskHelp}</p>
    <Axes over={t.coverage} up={t.wrong} high={high} label={t.risk}>
      <path class="risk" d={path} />
    </Axes>
    <details><summary>{texts.value.picture.asTable}</summary><table>
      <thead><tr><th scope="col">{t.coverage}</th><th scope="col">{t.wrong}</th></tr></thead>
      <tbody>{points.filter((_, i) => i % every === 0 || i === points.length - 1).map((point, i) => <tr key={i}>
        <td>{share(point.coverage)}</td><td>{share(point.risk, 2)}</td></tr>)}</tbody></table></details>
  </figure>;
}
