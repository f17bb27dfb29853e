// What holds on every page: both themes, both languages, a small screen, the keyboard, and what a screen reader needs.

import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {makeWorld, openPage, post} from "./world.mjs";

const places = ["playground", "compare?left=desk&right=agents&text=my%20bill", "sessions?id=talk-1", "decisions", "quality",
  "contract", "live", "keys"];
let world;
before(async () => {
  world = await makeWorld();
  await post(world.url, "/v1/route", {query: "my bill", profile: "desk", session_id: "talk-1"});
});
after(() => world?.end());

// Relative luminance and contrast as WCAG counts them, over the colours the browser really uses.
function faintTexts() {
  const parts = text => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const paint = colours => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest("svg, option, .sr, [aria-hidden=true], .skip") || !element.checkVisibility()) continue;
    const under = [];
    for (let at = element; at; at = at.parentElement) under.unshift(getComputedStyle(at).backgroundColor);
    const style = getComputedStyle(element);
    const back = paint(under), ink = paint([...under, style.color]);
    const [high, low] = [light(back), light(ink)].sort((a, b) => b - a);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.push(`${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)} (${parts(style.color)})`);
  }
  return faint;
}

// What a screen reader would stumble over.
function stumbles() {
  const out = [];
  const nameOf = element => element.getAttribute("aria-label") || element.labels?.[0]?.innerText || element.innerText || element.title;
  for (const element of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea"))
    if (element.checkVisibility() && !String(nameOf(element) ?? "").trim()) out.push(`no name: ${element.outerHTML.slice(0, 80)}`);
  for (const element of document.querySelectorAll("svg:not([aria-hidden=true])"))
    if (element.getAttribute("role") !== "img" || !element.getAttribute("aria-label")) out.push("a picture without words");
  for (const landmark of ["header", "nav", "main"])
    if (document.querySelectorAll(landmark).length !== 1) out.push(`not one ${landmark}`);
  if (document.querySelectorAll("h1").length !== 1) out.push("not one h1");
  let last = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const level = Number(heading.tagName[1]);
    if (last && level > last + 2) out.push(`heading ${heading.textContent} jumps`);
    last = level;
  }
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) out.push(`the id ${id} stands twice`);
  for (const cell of document.querySelectorAll("thead th")) if (!cell.closest("table").querySelector("tbody")) out.push("a table without rows");
  return out;
}

async function everywhere(options, look) {
  const {page, wrong, close} = await openPage(world, `${world.url}/`, options);
  for (const place of places) {
    await page.goto(`${world.url}/#/${place}`);
    await page.getByRole("heading", {level: 1}).waitFor();
    await page.waitForLoadState("networkidle");
    await look(page, place);
  }
  assert.deepEqual(wrong, []);
  await close();
}

for (const colorScheme of ["light", "dark"]) {
  test(`every page can be read in the ${colorScheme} theme`, () => everywhere({colorScheme}, async (page, place) => {
    assert.deepEqual(await page.evaluate(faintTexts), [], place);
  }));
}

test("a text that is too faint would be noticed", async () => {
  const {page, close} = await openPage(world, `${world.url}/`);
  await page.getByLabel("Message").waitFor();
  await page.evaluate(() => (document.querySelector("h1").style.color = "#c8c2b4"));
  assert.equal((await page.evaluate(faintTexts)).length, 1);
  await close();
});

test("every page has landmarks, headings and names for a screen reader", () => everywhere({}, async (page, place) => {
  assert.deepEqual(await page.evaluate(stumbles), [], place);
}));

test("no page is wider than a small screen", () => everywhere({viewport: {width: 360, height: 740}}, async (page, place) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${place} is ${wide} too wide`);
}));

test("the page speaks Spanish, and no English page name is left", () => everywhere({locale: "es-ES"}, async page => {
  assert.equal(await page.locator("html").getAttribute("lang"), "es");
  const menu = await page.getByRole("navigation").innerText();
  for (const word of ["Pruebas", "Comparar", "Sesiones", "Decisiones", "Calidad", "Contrato", "En vivo", "Claves"])
    assert.match(menu, new RegExp(word));
  assert.doesNotMatch(await page.getByRole("heading", {level: 1}).innerText(), /Playground|Compare|Decisions|Keys/);
}));

test("numbers lead to the pages, t and l change theme and language, and both are remembered", async () => {
  const {page, wrong, close} = await openPage(world, `${world.url}/`);
  await page.getByRole("heading", {level: 1, name: "Playground"}).waitFor();
  await page.keyboard.press("4");
  await page.getByRole("heading", {level: 1, name: "Decisions"}).waitFor();
  await page.keyboard.press("t");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.keyboard.press("l");
  await page.getByRole("heading", {level: 1, name: "Decisiones"}).waitFor();
  await page.reload();
  await page.getByRole("heading", {level: 1, name: "Decisiones"}).waitFor();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.keyboard.press("?");
  await page.getByRole("dialog", {name: "Atajos"}).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(wrong, []);
  await close();
});

test("the tab key reaches the content first, then the tools, with a focus one can see", async () => {
  const {page, close} = await openPage(world, `${world.url}/`);
  await page.getByLabel("Message").waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SELECT");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineWidth);
  assert.ok(parseFloat(outline) >= 2, outline);
  await close();
});

test("the first load is small, comes once, and nothing comes from elsewhere", async () => {
  const {page, close} = await openPage(world, "about:blank");
  const hosts = new Set();
  page.on("request", request => hosts.add(new URL(request.url()).host));
  await page.goto(`${world.url}/`);
  await page.getByLabel("Message").waitFor();
  const sizes = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter(entry => !entry.name.includes("/v1/")).map(entry => entry.encodedBodySize));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${all} bytes compressed in ${sizes.length} files`);
  assert.ok(all > 10_000 && all <= 300_000);
  assert.deepEqual([...hosts], [new URL(world.url).host]);
  await close();
});
