// Lines over time, with a table of the same figures for whoever cannot see them.

import {useEffect, useRef, useState} from "preact/hooks";
import {texts} from "../state";

export interface Line {
  name: string;
  colour: string;  // a class of style/pages.css
  values: (number | null)[];
}

const height = 160, left = 58, right = 8, top = 10, bottom = 22;

// The least round number that is not below.
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const step = 10 ** Math.floor(Math.log10(value));
  return step * (([1, 2, 2.5, 5, 10] as const).find(times => times * step >= value * 0.9999) ?? 10);
}

export function LineChart({title, times, lines, show, time, most, max}: {
  title: string; times: number[]; lines: Line[]; show: (value: number) => string; time: (at: number) => string;
  most?: number;  // rows of the table
  max?: number;   // of the scale; else the largest value
}) {
  const t = texts.value;
  const box = useRef<SVGSVGElement>(null);
  const [at, setAt] = useState(-1);
  const [width, setWidth] = useState(480);  // of the screen, so that letters keep their size
  useEffect(() => {
    const seen = new ResizeObserver(() => setWidth(box.current?.clientWidth || 480));
    seen.observe(box.current!);
    return () => seen.disconnect();
  }, []);
  const values = lines.flatMap(line => line.values).filter((value): value is number => value !== null);
  const high = max ?? roundUp(Math.max(...values, 0));
  const from = times[0] ?? 0, span = Math.max(1, (times.at(-1) ?? 1) - from);
  const x = (i: number) => left + ((width - left - right) * (times[i]! - from)) / span;
  const y = (value: number) => top + (height - top - bottom) * (1 - Math.min(value, high) / high);
  const path = (line: Line) => line.values.reduce<string>((text, value, i) =>
    value === null ? text : `${text}${text && line.values[i - 1] !== null ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`, "");
  const look = (clientX: number) => {
    const place = box.current!.getBoundingClientRect();
    const wanted = ((clientX - place.left) / place.width) * width;
    let best = -1;
    times.forEach((_, i) => {
      if (best < 0 || Math.abs(x(i) - wanted) < Math.abs(x(best) - wanted)) best = i;
    });
    setAt(best);
  };
  const rows = times.map((_, i) => i).slice(-(most ?? 60)).reverse();
  return <figure class="chart">
    <figcaption>{title}
      <span class="legend">{lines.map(line => <span key={line.name} class={line.colour}>
        {lines.length > 1 && <><i />{line.name}</>}
        {at >= 0 && line.values[at] != null && <b>{show(line.values[at]!)}</b>}</span>)}
        {at >= 0 && times[at] !== undefined && <small>{time(times[at]!)}</small>}</span>
    </figcaption>
    <svg ref={box} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}
      onPointerMove={event => look(event.clientX)} onPointerLeave={() => setAt(-1)}>
      {[0, 0.5, 1].map(part => <g key={part} class="grid">
        <line x1={left} x2={width - right} y1={y(part * high)} y2={y(part * high)} />
        <text x={left - 6} y={y(part * high) + 4} text-anchor="end">{show(part * high)}</text></g>)}
      {times.length > 1 && <g class="grid"><text x={left} y={height - 4}>{time(from)}</text>
        <text x={width - right} y={height - 4} text-anchor="end">{time(times.at(-1)!)}</text></g>}
      {lines.map(line => <g key={line.name} class={`line ${line.colour}`}><path d={path(line)} />
        {times.length < 3 && line.values.map((value, i) => value !== null && <circle key={i} cx={x(i)} cy={y(value)} r="3" />)}</g>)}
      {at >= 0 && times[at] !== undefined && <line class="hair" x1={x(at)} x2={x(at)} y1={top} y2={height - bottom} />}
    </svg>
    <details><summary>{t.picture.asTable}</summary><div class="scroll" tabIndex={0}><table>
      <thead><tr><th scope="col">{t.quality.time}</th>{lines.map(line => <th key={line.name} scope="col">{line.name}</th>)}</tr></thead>
      <tbody>{rows.map(i => <tr key={i}><th scope="row">{time(times[i]!)}</th>
        {lines.map(line => <td key={line.name}>{line.values[i] == null ? "–" : show(line.values[i]!)}</td>)}</tr>)}</tbody>
    </table></div></details>
  </figure>;
}
