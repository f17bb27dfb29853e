// A plan as a layered graph: the message, its sub-questions, and the tool calls with what each waits for.

import {texts} from "../state";
import type {Plan} from "../types";

export interface Node {
  id: string;
  title: string;
  text: string;
  kind: "query" | "question" | "call";
  layer: number;
  row: number;
}

const wide = 176, high = 46, gapX = 38, gapY = 12;

// A call belongs to the sub-question whose words stand in its arguments; one without belongs to the message.
function parentOf(plan: Plan, call: Plan["tool_calls"][number]): string {
  const words = Object.values(call.arguments);
  const at = plan.sub_questions.findIndex(question =>
    words.some(word => word && (word === question.semantic_intent || word === question.search_keywords)));
  return at < 0 ? "query" : `q${at}`;
}

export function layout(plan: Plan, query: string): {nodes: Node[]; edges: [string, string][]} {
  const edges: [string, string][] = [];
  const layers = new Map<string, number>([["query", 0]]);
  plan.sub_questions.forEach((_, i) => {
    layers.set(`q${i}`, 1);
    edges.push(["query", `q${i}`]);
  });
  // A call stands behind everything it waits for; a circle, which no plan has, would end the loop all the same.
  for (let round = 0; round <= plan.tool_calls.length; ++round) {
    for (const call of plan.tool_calls) {
      const before = call.after.filter(id => plan.tool_calls.some(one => one.id === id));
      const parents = before.length > 0 ? before : [parentOf(plan, call)];
      layers.set(call.id, 1 + Math.max(...parents.map(id => layers.get(id) ?? 0)));
      if (round === 0) edges.push(...parents.map((id): [string, string] => [id, call.id]));
    }
  }
  const rows = new Map<number, number>();
  const nodes: Node[] = [];
  const put = (id: string, kind: Node["kind"], title: string, text: string) => {
    const layer = layers.get(id) ?? 0, row = rows.get(layer) ?? 0;
    rows.set(layer, row + 1);
    nodes.push({id, kind, title, text, layer, row});
  };
  put("query", "query", plan.query_type, query);
  plan.sub_questions.forEach((one, i) => put(`q${i}`, "question", one.semantic_intent, one.search_keywords));
  for (const call of plan.tool_calls)
    put(call.id, "call", `${call.id} ${call.tool}`, Object.values(call.arguments).join(" · "));
  return {nodes, edges};
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function PlanGraph({plan, query}: {plan: Plan; query: string}) {
  const t = texts.value.picture;
  const {nodes, edges} = layout(plan, query);
  const layers = 1 + Math.max(...nodes.map(node => node.layer));
  const rows = 1 + Math.max(...nodes.map(node => node.row));
  const count = (layer: number) => nodes.filter(node => node.layer === layer).length;
  const x = (node: Node) => node.layer * (wide + gapX) + 2;
  const y = (node: Node) => (node.row + (rows - count(node.layer)) / 2) * (high + gapY) + 2;
  const width = layers * (wide + gapX) - gapX + 4, height = rows * (high + gapY) - gapY + 4;
  const at = (id: string) => nodes.find(node => node.id === id)!;
  return <div class="plan">
    <p class="help">{plan.query_type} · {plan.complexity}
      {plan.grep_keywords.length > 0 && <> · {t.keywords}: {plan.grep_keywords.join(", ")}</>}</p>
    <div class="scroll" tabIndex={0} role="group" aria-label={t.plan}>
      <svg width={width} height={height} style={{minWidth: `${Math.round(0.7 * width)}px`}} viewBox={`0 0 ${width} ${height}`} role="img"
        aria-label={`${t.plan}: ${plan.sub_questions.length} · ${plan.tool_calls.length}`}>
        {edges.map(([from, to]) => {
          const a = at(from), b = at(to);
          const x1 = x(a) + wide, y1 = y(a) + high / 2, x2 = x(b), y2 = y(b) + high / 2, bend = (x2 - x1) / 2;
          return <path key={`${from}-${to}`} class="edge"
            d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />;
        })}
        {nodes.map(node => <g key={node.id} class={node.kind} transform={`translate(${x(node)} ${y(node)})`}>
          <title>{node.title}: {node.text}</title>
          <rect width={wide} height={high} rx="4" />
          <text x="10" y="19" class="title">{cut(node.title, 23)}</text>
          <text x="10" y="36">{cut(node.text, 27)}</text>
        </g>)}
      </svg>
    </div>
    <details><summary>{t.asTable}</summary>
      <table>
        <thead><tr><th>id</th><th>{t.tool}</th><th>{t.arguments}</th><th>{t.after}</th></tr></thead>
        <tbody>
          {plan.sub_questions.map((one, i) => <tr key={i}>
            <td>q{i + 1}</td><td>{t.question}</td><td>{one.semantic_intent} ({one.search_keywords})</td><td /></tr>)}
          {plan.tool_calls.map(call => <tr key={call.id}>
            <td>{call.id}</td><td>{call.tool}</td>
            <td>{Object.entries(call.arguments).map(([name, value]) => `${name}: ${value}`).join("; ")}</td>
            <td>{call.after.join(", ")}</td></tr>)}
        </tbody>
      </table>
    </details>
  </div>;
}
