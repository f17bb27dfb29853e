// The page in a real browser, against the real program: each page's main task, errors, a slow stream.

import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {makeWorld, openPage, post} from "./world.mjs";

let world;
before(async () => {
  world = await makeWorld();
  const rows = Array.from({length: 1200}, (_, i) => ({
    query: `${["my bill", "hello there", "a special offer"][i % 3]} ${i}`, profile: "desk"}));
  await post(world.url, "/v1/route/batch", rows);
  await post(world.url, "/v1/route",
    {query: "show my customers and delete the old invoices", profile: "workspace", session_id: "talk-1"});
});
after(() => world?.end());

// Opens a place of the page, acts, and demands that the console stayed silent.
async function visit(place, act, {options, expected, url = world.url} = {}) {
  const {page, wrong, close} = await openPage(world, `${url}/${place}`, options, expected);
  try {
    await page.getByRole("heading", {level: 1}).waitFor();
    await act(page);
    assert.deepEqual(wrong, []);
  } finally {
    await close();
  }
}

const shows = (page, text) => page.getByText(text, {exact: false}).first().waitFor();

async function say(page, profile, text) {
  await page.getByLabel("Profile").selectOption(profile);
  await page.getByLabel("Message").fill(text);
  await page.keyboard.press("Control+Enter");
}

test("a message is answered word by word, and its decision is drawn beside it", () => visit("", async page => {
  await say(page, "knowledge", "compare the retry policy of billing and mail, and find who wrote each");
  const picture = page.getByRole("article", {name: "The decision"});
  await picture.waitFor();
  await shows(page, "This answer comes word by word.");
  assert.equal(await picture.locator(".track li").count(), 13);
  assert.equal(await picture.locator(".track .decided").count(), 1);
  assert.match(await picture.locator(".track .decided .us").innerText(), /µs|ms/);
  assert.equal(await picture.locator(".bar s").count(), 2);  // the profile's thresholds
  assert.ok(await picture.locator(".plan .question").count() >= 2);
  assert.ok(await picture.locator(".plan .edge").count() >= 4);
}));

test("a slow answer is shown as it comes, after its decision, and can be stopped", () => visit("", async page => {
  await say(page, "knowledge", "tickets linked to PROJ-100, slowly");
  await page.getByRole("article", {name: "The decision"}).waitFor();
  await shows(page, "You asked:");
  assert.equal(await page.getByText("word by word.").count(), 0);
  await page.keyboard.press("Escape");
  await shows(page, "stopped");
  await page.getByRole("button", {name: "Send"}).waitFor();
}));

test("a model that fails is told in words, with the decision that led to it", () => visit("", async page => {
  await say(page, "knowledge", "tickets linked to PROJ-100: break down");
  await shows(page, "That did not work");
  assert.equal(await page.locator(".route").first().innerText(), "relational");
}, {expected: [502]}));

test("an answer that breaks off does not look whole", () => visit("", async page => {
  await say(page, "knowledge", "tickets linked to PROJ-100: break off");
  await shows(page, "The answer broke off before its end.");
  assert.equal(await page.getByText("The answer is complete.").count(), 0);
}, {expected: ["ERR_"]}));

test("a question back offers its options, and an attachment travels along", () => visit("", async page => {
  await page.setInputFiles("input[type=file]", {name: "bill.csv", mimeType: "text/csv", buffer: Buffer.from("total,3")});
  await shows(page, "bill.csv");
  await say(page, "workspace", "show my customers and delete the old invoices");
  await page.getByRole("button", {name: "delete the old invoices"}).waitFor();
  assert.equal(await page.locator(".board .plate").innerText(), "several intents");
}));

test("what the supervisor changed is drawn, and a broken contract is said", () => visit("", async page => {
  await page.getByLabel("Decision only, no answer").check();
  await say(page, "desk", "a special offer");
  await page.getByRole("img", {name: /HELP → SPAM/}).waitFor();
  await say(page, "desk", "my bill");
  await shows(page, "Breaks the contract: D-07");
}));

test("the profile decides what evidence is asked for, and unknown is not absent", () => visit("", async page => {
  await page.getByLabel("Decision only, no answer").check();
  await say(page, "agents", "how many orders by state?");
  const unknown = page.locator(".evidence .unknown").first();
  await unknown.waitFor();
  assert.match(await unknown.innerText(), /unknown/);
  assert.ok(await page.locator(".evidence .absent").count() > 3);
}));

test("SQL is written for a message, can be edited, and passes the same guard", () => visit("", async page => {
  await page.getByLabel("Decision only, no answer").check();
  await say(page, "desk", "how many orders are there?");
  const panel = page.getByRole("region", {name: "SQL"});
  await panel.getByRole("button", {name: "Write SQL for this message"}).click();
  const statement = panel.getByLabel("Statement");
  await statement.waitFor();
  assert.match(await statement.inputValue(), /count/i);
  await panel.getByRole("cell", {name: "3", exact: true}).waitFor();
  await statement.fill("SELECT customer FROM orders WHERE state = 'sent'");
  await panel.getByRole("button", {name: "Run"}).click();
  await panel.getByRole("cell", {name: "Cem"}).waitFor();
  await statement.fill("DELETE FROM orders");
  await panel.getByRole("button", {name: "Run"}).click();
  await panel.getByText("Refused").waitFor();
}));

test("two versions of a profile are compared, and what differs is marked", () => visit("#/compare", async page => {
  const names = await page.getByLabel("Right").locator("option").allInnerTexts();
  await page.getByLabel("Left").selectOption("desk");
  await page.getByLabel("Right").selectOption(names.find(name => name.startsWith("desk@")));
  await page.getByLabel("Message").fill("a refund");
  await page.getByRole("button", {name: "Compare"}).click();
  await page.getByRole("row", {name: /route.*BILL.*HELP/}).waitFor();
  assert.deepEqual(await page.locator(".board .route").allInnerTexts(), ["BILL", "HELP"]);
  await page.getByLabel("Message").fill("hello");
  await page.getByRole("button", {name: "Compare"}).click();
  await shows(page, "Both decide alike.");
}));

test("a conversation shows its turns, its intents and what it waits for", () => visit("#/sessions", async page => {
  await page.getByRole("button", {name: /talk-1/}).click();
  await page.getByRole("article", {name: "talk-1"}).waitFor();
  await shows(page, "show my customers and delete the old invoices");
  await page.locator(".plate", {hasText: "choose"}).waitFor();
  await page.getByLabel("Session id").fill("nobody");
  await page.getByRole("button", {name: "Open"}).click();
  await shows(page, "there is no session 'nobody'");
}, {expected: [404]}));

test("a mini-app is played, and its session shows the app and its state", () => visit("", async page => {
  await page.getByRole("button", {name: "new"}).click();
  await say(page, "miniapps", "plan a trip to Tokyo");
  await shows(page, "A trip to Tokyo.");
  await say(page, "miniapps", "add Senso-ji");
  await shows(page, "Added Senso-ji.");
  const id = await page.getByLabel("Session").inputValue();
  await page.keyboard.press("Tab");
  await page.getByRole("link", {name: "Sessions"}).click();
  await page.getByRole("button", {name: new RegExp(id)}).click();
  const session = page.getByRole("article", {name: id});
  await session.getByRole("region", {name: "App"}).getByText("trip_planner").first().waitFor();
  assert.match(await session.locator("pre").innerText(), /Senso-ji/);
  assert.equal(await session.locator(".intents li").count(), 2);
  assert.equal(await session.locator(".messages li").count(), 4);
}));

test("a log of any length draws only the rows in sight", () => visit("#/decisions?profile=desk", async page => {
  const list = page.getByRole("listbox");
  await list.getByRole("option").first().waitFor();
  for (let i = 0; i < 12; ++i) {
    await list.evaluate(box => box.scrollTo(0, box.scrollHeight));
    await page.waitForTimeout(60);
  }
  await page.waitForFunction(() => Number(document.querySelector("[role=option]")?.getAttribute("aria-setsize")) >= 1200);
  assert.ok(await list.getByRole("option").count() < 60);
}));

test("a search shows every row that fits, and each once", () => visit("#/decisions?q=my+bill+119", async page => {
  await page.locator(".entry").first().waitFor();
  await page.waitForLoadState("networkidle");
  const found = await page.locator(".entry .query").allInnerTexts();
  assert.deepEqual(found, ["my bill 1197", "my bill 1194", "my bill 1191"]);
}));

test("a decision is found, chosen by keyboard, replayed and corrected", () => visit("#/decisions", async page => {
  await page.keyboard.press("/");
  await page.keyboard.type("hello there 1198");
  const list = page.getByRole("listbox");
  await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
  await list.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", {name: "Replay"}).click();
  await shows(page, "Decided the same today.");
  await page.getByRole("button", {name: "Correct the label"}).click();
  await page.getByLabel("It should have been").selectOption("SPAM");
  await page.getByLabel("Comment").fill("from a test");
  await page.getByRole("button", {name: "Save"}).click();
  await shows(page, "Kept as feedback.");
  await page.getByLabel("Feedback").selectOption("down");
  await page.getByRole("option", {name: /hello there 1198/}).waitFor();
}));

test("a replay on another version says what would change", () => visit("#/decisions?q=a+special+offer+2", async page => {
  await post(world.url, "/v1/route", {query: "one refund please", profile: "desk"});
  await page.getByLabel("Text in the message").fill("one refund please");
  await page.getByRole("option", {name: /one refund please/}).click();
  const on = page.locator(".replay select");
  await on.waitFor();
  const names = await on.locator("option").allInnerTexts();
  await on.selectOption(names.find(name => name.startsWith("desk@")));
  await page.getByRole("button", {name: "Replay"}).click();
  await page.getByRole("row", {name: /route.*BILL.*HELP/}).waitFor();
}));

test("a report is opened, and a cell of its matrix shows the messages behind it", () => visit("#/quality", async page => {
  await page.getByRole("button", {name: /Expected analytics, got knowledge/}).click();
  await shows(page, "explain what churn means");
  await page.getByRole("img", {name: "Reliability"}).waitFor();
  await page.getByRole("img", {name: "Risk and coverage"}).waitFor();
  await page.getByLabel("Profile").selectOption("desk");
  await page.getByRole("img", {name: "mean confidence"}).waitFor();
  await shows(page, "logged decisions, spread over the whole log");
}));

test("the contract counts its breaches and leads to the decisions behind them", () => visit("#/contract", async page => {
  await page.getByLabel("Profile").selectOption("desk");
  await page.getByRole("button", {name: "Show violations of D-07"}).click();
  await page.getByRole("link", {name: /my bill/}).first().click();
  await page.getByRole("heading", {level: 1, name: "Decisions"}).waitFor();
  await shows(page, "Breaks the contract: D-07");
}));

test("live figures follow the traffic", () => visit("#/live", async page => {
  await page.getByLabel("Profile").selectOption("desk");
  await shows(page, "model calls avoided");
  await page.getByLabel("Price of one model call").fill("0.01");
  await post(world.url, "/v1/route/batch", Array.from({length: 50}, (_, i) => ({query: `my bill ${i}`, profile: "desk"})));
  await page.getByRole("img", {name: "Decisions a second"}).waitFor();
  const cost = page.locator(".tiles div", {hasText: "cost avoided"}).locator("dd");
  await page.waitForFunction(() => [...document.querySelectorAll(".tiles div")]
    .some(tile => tile.textContent.includes("cost avoided") && parseFloat(tile.querySelector("dd").textContent) > 1));
  assert.match(await cost.innerText(), /^\d+\.\d\d$/);
}));

test("a server with keys asks for one; an admin makes a key and revokes it", () => visit("", async page => {
  await page.getByLabel("Key", {exact: true}).fill("sbx_00000000_wrong");
  await page.getByRole("button", {name: "Use it"}).click();
  await shows(page, "this key is not known");
  await page.getByLabel("Key", {exact: true}).fill(world.adminKey);
  await page.getByRole("button", {name: "Use it"}).click();
  await page.getByLabel("Message").waitFor();
  await page.getByRole("link", {name: "Keys"}).click();
  await page.getByLabel("name", {exact: true}).fill("shop");
  await page.getByRole("button", {name: "Make a key"}).click();
  assert.match(await page.locator(".secret").innerText(), /^sbx_/);
  page.on("dialog", dialog => dialog.accept());
  await page.getByRole("button", {name: "Revoke shop"}).click();
  await shows(page, "Revoked.");
  await page.getByRole("button", {name: "Revoke shop"}).waitFor({state: "detached"});
}, {url: world.closedUrl, expected: [401]}));

test("a server that is away is said to be away", () => visit("", async page => {
  await page.route("**/v1/**", route => route.abort());
  await page.getByLabel("Message").fill("hello");
  await page.getByRole("button", {name: "Send"}).click();
  await shows(page, "The server cannot be reached.");
}, {expected: ["ERR_FAILED"]}));
