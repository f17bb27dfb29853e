// Small parts every page uses: lamps, notices, fields.

import type {ComponentChildren} from "preact";
import {useEffect, useState} from "preact/hooks";
import {ApiError} from "../api";
import {profileName, profiles, texts} from "../state";

export type Colour = "green" | "amber" | "red" | "blue" | "off";

export const tierColour: Record<string, Colour> = {
  clear: "green", confirm: "amber", clarify: "red", multi_intent: "blue",
};

export function Lamp({colour, label}: {colour: Colour; label?: string}) {
  return <span class={`lamp ${colour}`} role={label ? "img" : undefined} aria-label={label}
    aria-hidden={label ? undefined : true} />;
}

export function TierPlate({tier}: {tier: string}) {
  return <span class={`plate ${tierColour[tier] ?? "off"}`}>
    <Lamp colour={tierColour[tier] ?? "off"} />{texts.value.tiers[tier as "clear"] ?? tier}
  </span>;
}

export function wordsOf(problem: unknown): string {
  if (!(problem instanceof ApiError)) return String(problem);
  if (problem.code === "broken_off") return texts.value.brokenOff;
  if (problem.status === 0) return texts.value.unreachable;
  if (problem.status === 403) return texts.value.key.scope;
  return problem.message;
}

export function Problem({of, again}: {of: unknown; again?: () => void}) {
  return <div class="notice bad" role="alert">
    <Lamp colour="red" />
    <div><strong>{texts.value.wentWrong}.</strong> {wordsOf(of)}
      {of instanceof ApiError && of.code && <code class="code">{of.code}</code>}</div>
    {again && <button type="button" class="quiet" onClick={again}>{texts.value.retry}</button>}
  </div>;
}

// A text in which `what one types` stands between backticks.
export function Marked({text}: {text: string}) {
  return <>{text.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))}</>;
}

export function Notice({text}: {text: string}) {
  return <p class="notice"><span><Marked text={text} /></span></p>;
}

export function Field({label, children, wide}: {label: string; children: ComponentChildren; wide?: boolean}) {
  return <label class={wide ? "field wide" : "field"}><span>{label}</span>{children}</label>;
}

export function ProfileField({value = profileName.value, choose, label = texts.value.profile, empty}: {
  value?: string; choose?: (name: string) => void; label?: string; empty?: string;
}) {
  return <Field label={label}>
    <select value={value} onChange={event => {
      const name = event.currentTarget.value;
      if (choose) choose(name);
      else profileName.value = name;
    }}>
      {empty !== undefined && <option value="">{empty}</option>}
      {profiles.value.map(({profile}) => <option key={profile} value={profile}>{profile}</option>)}
    </select>
  </Field>;
}

export function Section({title, help, children, id}: {
  title: string; help?: string; children: ComponentChildren; id?: string;
}) {
  return <section class="part" aria-label={title} id={id}>
    <h3>{title}</h3>
    {help && <p class="help">{help}</p>}
    {children}
  </section>;
}

// What a call gave: nothing yet, a value, or what went wrong. Loads again when `by` changes.
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, by: unknown[]) {
  const [state, set] = useState<{value?: T; problem?: unknown}>({});
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(value => set({value}), problem => stop.signal.aborted || set({problem}));
    return () => stop.abort();
  }, [...by, times]);
  return {...state, again: () => setTimes(times + 1)};
}
