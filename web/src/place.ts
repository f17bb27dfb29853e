// Where the reader is: "#/decisions?route=BILL" is the page `decisions` with its parameters.

import {signal} from "@preact/signals";

export const pages = [
  "playground", "compare", "sessions", "decisions", "quality", "contract", "live", "keys",
] as const;
export type PageName = (typeof pages)[number];

export interface Place {
  page: PageName;
  with: URLSearchParams;
}

function read(): Place {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return {page: pages.find(page => page === path) ?? "playground", with: new URLSearchParams(query)};
}

export const place = signal<Place>(read());
addEventListener("hashchange", () => (place.value = read()));

export function address(page: PageName, parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value)).toString();
  return `#/${page}${query ? `?${query}` : ""}`;
}

// Notes a choice in the address without leaving the page or filling the history.
export function note(page: PageName, parameters: Record<string, string>): void {
  history.replaceState(null, "", address(page, parameters));
}
