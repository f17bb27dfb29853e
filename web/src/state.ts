// What the whole page shares: theme, language, the key, the profiles. What a person chose is remembered.

import {computed, effect, signal} from "@preact/signals";
import {get} from "./api";
import en from "./texts/en";
import es from "./texts/es";
import type {Profile} from "./types";

export type Texts = typeof en;
const languages: Record<string, Texts> = {en, es};

function remembered(name: string): string {
  try {
    return localStorage.getItem(`signalbox.${name}`) ?? "";
  } catch {
    return "";
  }
}

function remember(name: string, value: string): void {
  try {
    if (value) localStorage.setItem(`signalbox.${name}`, value);
    else localStorage.removeItem(`signalbox.${name}`);
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

export const theme = signal(remembered("theme"));  // "", "light" or "dark"; empty: as the system
export const language = signal(
  remembered("language") || (navigator.language.startsWith("es") ? "es" : "en"));
export const texts = computed(() => languages[language.value] ?? en);

// Not remembered beyond the tab: a key opens more than a page.
export const key = signal(sessionStorage.getItem("signalbox.key") ?? "");
export const needsKey = signal(false);

export const profiles = signal<Profile[]>([]);
export const profileName = signal("");
export const profile = computed(() => profiles.value.find(one => one.profile === profileName.value));

export async function loadProfiles(): Promise<void> {
  profiles.value = (await get<{profiles: Profile[]}>("/v1/profiles")).profiles;
  if (!profile.value) profileName.value = profiles.value[0]?.profile ?? "";
}

export function find(name: string): Profile | undefined {
  return profiles.value.find(one => one.profile === name)
    ?? profiles.value.find(one => one.profile.split("@")[0] === name);
}

effect(() => {
  remember("theme", theme.value);
  document.documentElement.dataset.theme = theme.value;
});
effect(() => {
  remember("language", language.value);
  document.documentElement.lang = language.value;
});
effect(() => {
  if (key.value) sessionStorage.setItem("signalbox.key", key.value);
  else sessionStorage.removeItem("signalbox.key");
});
