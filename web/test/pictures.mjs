// Takes the pictures of docs/page.md: npm run pictures [REPORT.json …]. Reports given are shown in Quality.

import {copyFileSync} from "node:fs";
import {basename, join} from "node:path";
import {makeWorld, openPage, post} from "./world.mjs";

const out = new URL("../../docs/page/", import.meta.url).pathname;
const world = await makeWorld();
for (const report of process.argv.slice(2)) copyFileSync(report, join(world.folder, "reports", basename(report)));
const said = ["my bill, please", "hello there", "a special offer for you", "I want a refund", "where is my order?"];
await post(world.url, "/v1/route/batch", Array.from({length: 60}, (_, i) => ({query: said[i % 5], profile: "desk"})));
await post(world.url, "/v1/route/batch", [
  "Quantas entregas atrasaram em cada transportadora?", "what is a data lake?", "how many orders by state?",
  "boa tarde, tudo bem?", "explain churn", "total revenue per month",
].map(query => ({query, profile: "agents"})));

async function ask(page, profile, text) {
  await page.getByLabel("Profile").selectOption(profile);
  await page.getByLabel("Message").fill(text);
  await page.keyboard.press("Control+Enter");
  await page.locator(".judge").waitFor();
}

const pictures = {
  playground: [{viewport: {width: 1280, height: 1480}}, "", page => ask(page, "knowledge", "compare the retry policy of billing and mail, and find who wrote each")],
  compare: [{}, "#/compare?left=desk&right=agents&text=how%20many%20refunds%20by%20month%3F",
    page => page.locator(".differences").waitFor()],
  "decisions-dark": [{colorScheme: "dark"}, "#/decisions?profile=agents", async page => {
    await page.getByRole("listbox").getByRole("option", {name: /Quantas entregas/}).first().click();
    await page.getByRole("button", {name: "Replay"}).click();
    await page.getByText("Decided the same today.").waitFor();
  }],
  quality: [{viewport: {width: 1280, height: 1560}}, "#/quality", async page => {
    await page.locator(".matrix button").first().click();
  }],
  live: [{colorScheme: "dark"}, "#/live", async page => {
    for (let i = 1; i < 6; ++i) {
      await page.waitForTimeout(2000);
      await post(world.url, "/v1/route/batch", Array.from({length: 40 * i}, (_, n) => ({query: said[n % 5], profile: "desk"})));
    }
    await page.waitForTimeout(2100);
  }],
  small: [{viewport: {width: 390, height: 844}, locale: "es-ES"}, "", async page => {
    await page.getByLabel("Perfil").selectOption("workspace");
    await page.getByLabel("Mensaje").fill("show my customers and delete the old invoices");
    await page.keyboard.press("Control+Enter");
    await page.locator(".judge").waitFor();
    await page.locator(".answer").evaluate(part => part.scrollIntoView());
    await page.evaluate(() => scrollBy(0, -50));
  }],
};
for (const [name, [options, place, act]] of Object.entries(pictures)) {
  const {page, wrong, close} = await openPage(world, `${world.url}/${place}`, {viewport: {width: 1280, height: 960}, ...options});
  await page.getByRole("heading", {level: 1}).waitFor();
  await act(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({path: `${out}${name}.png`});
  if (wrong.length > 0) console.error(name, wrong);
  await close();
}
await world.end();
