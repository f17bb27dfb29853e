// The frame of the page: the lever frame of pages on the side, theme, language, key, shortcuts.

import {render} from "preact";
import {useEffect, useRef} from "preact/hooks";
import {signal} from "@preact/signals";
import {Compare} from "./pages/compare";
import {Contract} from "./pages/contract";
import {Decisions} from "./pages/decisions";
import {Keys} from "./pages/keys";
import {Live} from "./pages/live";
import {Playground} from "./pages/playground";
import {Quality} from "./pages/quality";
import {Sessions} from "./pages/sessions";
import {Marked, Problem} from "./parts/ui";
import {address, pages, place, type PageName} from "./place";
import {key, language, loadProfiles, needsKey, profiles, texts, theme} from "./state";
import "./style/base.css";
import "./style/frame.css";
import "./style/picture.css";
import "./style/pages.css";

const views: Record<PageName, () => preact.JSX.Element> = {
  playground: Playground, compare: Compare, sessions: Sessions, decisions: Decisions, quality: Quality,
  contract: Contract, live: Live, keys: Keys,
};
const trouble = signal<unknown>(null);
const showsHelp = signal(false);

async function begin() {
  try {
    await loadProfiles();
    trouble.value = null;
    needsKey.value = false;
  } catch (problem) {
    trouble.value = problem;
  }
}

function nextTheme() {
  theme.value = theme.value === "" ? "dark" : theme.value === "dark" ? "light" : "";
}

function Dialog({title, close, children}: {title: string; close: () => void; children: preact.ComponentChildren}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return <dialog ref={box} aria-label={title} onClose={close}>
    <h2>{title}</h2>
    {children}
  </dialog>;
}

function Shortcuts() {
  const t = texts.value;
  return <Dialog title={t.shortcuts} close={() => (showsHelp.value = false)}>
    <dl class="shortcuts">
      {t.shortcutList.map(([keys, what]) => <div key={keys}><dt><kbd>{keys}</kbd></dt><dd>{what}</dd></div>)}
    </dl>
    <form method="dialog"><button>{t.close}</button></form>
  </Dialog>;
}

function KeyGate() {
  const t = texts.value.key;
  return <form class="gate part" aria-label={t.title} onSubmit={event => {
    event.preventDefault();
    key.value = String(new FormData(event.currentTarget).get("key")).trim();
    void begin();
  }}>
    <h2>{t.title}</h2>
    <p class="help"><Marked text={t.hint} /></p>
    <label class="field wide"><span>{t.label}</span>
      <input name="key" type="password" autocomplete="off" required autofocus /></label>
    {trouble.value !== null && key.value && <Problem of={trouble.value} />}
    <button class="go">{t.use}</button>
  </form>;
}

function Levers() {
  const t = texts.value;
  return <nav class="levers" aria-label={t.menu}>
    <ul>
      {pages.map((page, i) => <li key={page}>
        <a href={address(page)} aria-current={place.value.page === page ? "page" : undefined}
          aria-keyshortcuts={String(i + 1)}>
          <span class="lever" aria-hidden="true" />
          <span class="number" aria-hidden="true">{i + 1}</span>
          <span class="word">{t.pages[page]}</span>
        </a>
      </li>)}
    </ul>
  </nav>;
}

function App() {
  const t = texts.value;
  const View = views[place.value.page];
  const title = t.pages[place.value.page];
  useEffect(() => {
    document.title = `${title} · ${t.name}`;
  }, [title]);
  return <>
    <a class="skip" href="#content" onClick={event => {
      event.preventDefault();
      document.getElementById("content")?.focus();
    }}>{t.skip}</a>
    <header class="roof">
      <p class="brand"><span class="mark" aria-hidden="true"><i /><i /></span>{t.name}</p>
      <div class="tools">
        {key.value && <button type="button" class="quiet" onClick={() => {
          key.value = "";
          void begin();
        }}>{t.key.forget}</button>}
        <button type="button" class="quiet" onClick={() => (language.value = language.value === "es" ? "en" : "es")}
          aria-label={`${t.language}: ${language.value === "es" ? "English" : "Español"}`}>
          {language.value === "es" ? "EN" : "ES"}</button>
        <button type="button" class="quiet" onClick={nextTheme} title={t.themes[theme.value as ""]}
          aria-label={t.themeNow(t.themes[theme.value as ""])}>{theme.value === "dark" ? "☾" : theme.value === "light" ? "☀" : "◐"}</button>
        <button type="button" class="quiet" onClick={() => (showsHelp.value = true)} aria-label={t.shortcuts}>?</button>
      </div>
    </header>
    <Levers />
    <main id="content" tabIndex={-1}>
      <h1>{title}</h1>
      {needsKey.value ? <KeyGate />
        : trouble.value !== null ? <Problem of={trouble.value} again={begin} />
        : profiles.value.length === 0 ? <p class="help">{t.loading}</p>
        : <View key={place.value.page} />}
    </main>
    {showsHelp.value && <Shortcuts />}
  </>;
}

addEventListener("keydown", event => {
  const at = event.target as HTMLElement;
  const writes = at.matches("input:not([type=checkbox]), textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey || writes || document.querySelector("dialog[open]")) return;
  if (event.key === "?") showsHelp.value = true;
  else if (event.key === "t") nextTheme();
  else if (event.key === "l") language.value = language.value === "es" ? "en" : "es";
  else if (event.key === "/") document.querySelector<HTMLElement>("[data-first]")?.focus();
  else if (/^[1-8]$/.test(event.key)) location.hash = address(pages[Number(event.key) - 1]!);
  else return;
  event.preventDefault();
});

render(<App />, document.getElementById("app")!);
void begin();
