// A whole Signalbox for the tests: a fake model, a server in front of it, a log, reports, and a real browser.

import {spawn, spawnSync} from "node:child_process";
import {mkdtempSync, mkdirSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {chromium} from "playwright-core";

const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const program = resolve(process.env.SIGNALBOX ?? join(root, "build/release/signalbox"));

const pause = ms => new Promise(done => setTimeout(done, ms));

// An OpenAI-compatible model: answers word by word, as slowly as the message asks for, or fails.
function startModel() {
  const server = createServer((request, reply) => {
    let text = "";
    request.on("data", piece => (text += piece));
    request.on("end", async () => {
      if (request.method === "GET") {
        reply.writeHead(200, {"content-type": "application/json"});
        return reply.end(JSON.stringify({object: "list", data: [{id: "tiny", object: "model"}]}));
      }
      const body = JSON.parse(text || "{}");
      const said = String(body.messages?.at(-1)?.content ?? "");
      if (said.includes("break down")) {
        reply.writeHead(500, {"content-type": "application/json"});
        return reply.end(JSON.stringify({error: {message: "the model fell over"}}));
      }
      const offered = body.tools?.[0]?.function;
      if (offered?.parameters?.properties?.route) {
        const routes = offered.parameters.properties.route.enum;
        const route = routes[/what is|why|how do/.test(said.split("~~~").at(-2) ?? "") ? 1 : 0];
        const call = {id: "call_1", type: "function", function: {name: offered.name,
          arguments: JSON.stringify({reasoning: "it reads like that", route, confidence: 0.9})}};
        reply.writeHead(200, {"content-type": "application/json"});
        return reply.end(JSON.stringify({choices: [{message: {role: "assistant", content: null, tool_calls: [call]},
          finish_reason: "tool_calls"}]}));
      }
      const answer = `You asked: ${said}. This answer comes word by word.`;
      if (!body.stream) {
        reply.writeHead(200, {"content-type": "application/json"});
        return reply.end(JSON.stringify({choices: [{message: {role: "assistant", content: answer}, finish_reason: "stop"}]}));
      }
      reply.writeHead(200, {"content-type": "text/event-stream"});
      for (const word of answer.split(/(?<= )/)) {
        if (reply.destroyed) return;
        if (said.includes("break off") && word.startsWith("This")) return reply.destroy();
        reply.write(`data: ${JSON.stringify({choices: [{index: 0, delta: {content: word}}]})}\n\n`);
        await pause(said.includes("slowly") ? 150 : 2);
      }
      reply.end("data: [DONE]\n\n");
    });
  });
  server.unref();  // a test that fails early must still end
  return new Promise(done => server.listen(0, "127.0.0.1", () => done(server)));
}

const desk = (words, database) => `profile: desk
description: A help desk.
languages: [en]
mode: local
fallback: HELP
gatekeeper: {enabled: false}
routes:
  HELP: {description: Everything else.}
  BILL: {description: Bills and refunds.}
  SPAM: {description: What nobody asked for.}
words:
  bill: [${words}]
  offer: [special offer]
rules:
  - {id: D-01, when: words.bill, route: BILL}
databases:
  shop: {address: "${database}"}
supervisor:
  confidence: 0.8
  rules:
    - {id: no_offers, when: {all: [words.offer], none: [route.SPAM]}, route: SPAM}
contract:
  - {id: D-07, text: Bills are looked up., when: route.BILL, then: {retrieval: true}}
  - {id: D-08, text: Help never retrieves., when: route.HELP, then: {retrieval: false}}
`;

// Rows whose labels are in part wrong, so that a report has something to show.
const disputed = `how many orders by state?\tanalytics
total revenue per month of this year\tanalytics
list the ten customers who bought most\ttriage
average order value by region\tknowledge
what is a data lake?\tknowledge
explain what churn means\tanalytics
hello there\ttriage
good morning\ttriage
`;

// Starts `signalbox serve` and waits until it says where it listens.
async function serve(flags, environment = {}) {
  const {SIGNALBOX_LLM_URL: _, ...rest} = process.env;  // only the fake model, or none
  const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--log-level", "off", ...flags],
    {cwd: root, env: {...rest, ...environment}, stdio: ["ignore", "pipe", "ignore"]});
  let out = "";
  const url = await new Promise((done, failed) => {
    child.stdout.on("data", piece => {
      out += piece;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out);
      if (found) done(found[0]);
    });
    child.on("exit", code => failed(new Error(`the server ended with ${code}: ${out}`)));
  });
  const stop = () => child.kill("SIGTERM");
  process.on("exit", stop);
  return {url, stop};
}

export async function post(url, path, body) {
  const reply = await fetch(url + path, {method: "POST", body: JSON.stringify(body)});
  return reply.json();
}

export async function makeWorld() {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-page-"));
  const model = await startModel();
  mkdirSync(join(folder, "reports"));
  const database = join(folder, "shop.db");
  spawnSync("sqlite3", [database, `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, state TEXT);
    INSERT INTO orders (customer, state) VALUES ('Ana', 'open'), ('Bo', 'open'), ('Cem', 'sent');`]);
  writeFileSync(join(folder, "desk.yaml"), desk("bill, refund", database));
  writeFileSync(join(folder, "desk2.yaml"), desk("bill", database));
  writeFileSync(join(folder, "rows.tsv"), disputed);
  const judged = spawnSync(program, ["eval", "--profile", "agents", "--data", join(folder, "rows.tsv"), "--json",
    "--report", join(folder, "reports/agents.json")], {cwd: root, encoding: "utf8"});
  if (judged.status !== 0) throw new Error(`eval: ${judged.stderr}`);
  const open = await serve(
    ["-p", "assistant", "-p", "agents", "-p", "workspace", "-p", "knowledge", "-p", "miniapps", "-p", join(folder, "desk.yaml"),
      "-p", join(folder, "desk2.yaml"), "--log", join(folder, "log.db"), "--reports", join(folder, "reports")],
    {SIGNALBOX_LLM_URL: `http://127.0.0.1:${model.address().port}`, SIGNALBOX_LLM_MODEL: "tiny"});
  const {stdout: adminKey} = spawnSync(program,
    ["keys", "new", "--name", "boss", "--scope", "route,chat,admin", "--file", join(folder, "keys")], {encoding: "utf8"});
  const closed = await serve(["-p", join(folder, "desk.yaml"), "--keys", join(folder, "keys")]);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
  });
  return {
    url: open.url, closedUrl: closed.url, adminKey: adminKey.trim(), browser, folder,
    async end() {
      await browser.close();
      open.stop();
      closed.stop();
      model.closeAllConnections?.();
      model.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

// A page that remembers what went wrong in it. `expected` are statuses, or words, of what the test
// provokes.
export async function openPage(world, address, options = {}, expected = []) {
  const context = await world.browser.newContext({viewport: {width: 1360, height: 900}, locale: "en-GB", ...options});
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", error => wrong.push(String(error)));
  page.on("console", message => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (expected.some(word => message.text().includes(typeof word === "number" ? `status of ${word}` : word))) return;
    wrong.push(message.text());
  });
  await page.goto(address);
  return {page, wrong, close: () => context.close()};
}
