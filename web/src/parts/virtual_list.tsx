// A list of any length that draws only the rows in sight, and asks for more near its end.

import type {ComponentChildren} from "preact";
import {useEffect, useRef, useState} from "preact/hooks";

export function VirtualList<T>({items, height, label, row, chosen, choose, more, foot}: {
  items: T[]; height: number; label: string; row: (item: T) => ComponentChildren; chosen: number;
  choose: (index: number) => void; more: () => void; foot: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(600);
  const from = Math.max(0, Math.floor(top / height) - 5);
  const to = Math.min(items.length, Math.ceil((top + view) / height) + 5);
  useEffect(() => {
    const seen = new ResizeObserver(() => setView(box.current?.clientHeight ?? 600));
    seen.observe(box.current!);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    if (to >= items.length - 10) more();
  }, [to, items.length]);
  const go = (index: number) => {
    if (index < 0 || index >= items.length) return;
    choose(index);
    const at = box.current!;
    if (index * height < at.scrollTop) at.scrollTop = index * height;
    if ((index + 1) * height > at.scrollTop + at.clientHeight) at.scrollTop = (index + 1) * height - at.clientHeight;
  };
  const steps: Record<string, number> = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10};
  return <div ref={box} class="virtual" role="listbox" tabIndex={0} aria-label={label}
    aria-activedescendant={chosen >= 0 ? `row-${chosen}` : undefined}
    onScroll={event => setTop(event.currentTarget.scrollTop)}
    onKeyDown={event => {
      const step = steps[event.key];
      if (step === undefined && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      go(event.key === "Home" ? 0 : event.key === "End" ? items.length - 1
        : Math.max(0, Math.min(items.length - 1, chosen + step!)));
    }}>
    <div style={{height: `${items.length * height}px`}} role="presentation">
      {items.slice(from, to).map((item, i) => {
        const index = from + i;
        return <div key={index} id={`row-${index}`} role="option" aria-selected={index === chosen}
          aria-setsize={items.length} aria-posinset={index + 1} class={index === chosen ? "chosen" : ""}
          style={{top: `${index * height}px`, height: `${height}px`}} onClick={() => choose(index)}>{row(item)}</div>;
      })}
    </div>
    <p class="help foot" role="status">{foot}</p>
  </div>;
}
