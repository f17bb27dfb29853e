// What the supervisor did, drawn as a pair of points: straight on, or over to another track.

import {texts} from "../state";
import type {Decision} from "../types";

export function Points({of}: {of: Decision}) {
  const t = texts.value.picture;
  const {changed, from, rule} = of.supervisor;
  if (!of.trace.some(line => line.step === "supervisor")) return <p class="help">{t.notRun}</p>;
  if (!changed) return <p>{t.agreed}</p>;
  const before = from ?? t.noRoute, after = of.route ?? t.noRoute;
  return <figure class="points">
    <svg viewBox="0 0 320 74" role="img" aria-label={`${before} → ${after}: ${t.changed(rule ?? "")}`}>
      <path class="closed" d="M8 56 H312" />
      <path class="set" d="M8 56 H96 C130 56 130 20 164 20 H312" />
      <circle cx="96" cy="56" r="5" />
      <text x="312" y="72" text-anchor="end" class="was">{before}</text>
      <text x="312" y="14" text-anchor="end" class="now">{after}</text>
    </svg>
    <figcaption>{t.changed(rule ?? "")}</figcaption>
  </figure>;
}
