// Numbers and times as people of the chosen language write them.

import {language} from "./state";

export function micros(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1e6) return `${number(us / 1000, us < 1e4 ? 2 : 1)} ms`;
  return `${number(us / 1e6, 2)} s`;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(language.value, {maximumFractionDigits: digits, minimumFractionDigits: digits});
}

export function share(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : `${number(100 * value, digits)} %`;
}

// A probability: two digits, and never a 1.00 that is not one.
export function chance(value: number): string {
  return number(value > 0.99 && value < 1 ? Math.floor(value * 1000) / 1000 : value, value > 0.99 && value < 1 ? 3 : 2);
}

export function moment(at: number): string {
  const day = new Date(at).toDateString() === new Date().toDateString();
  return new Date(at).toLocaleString(language.value, day
    ? {hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23"}
    : {day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23"});
}
