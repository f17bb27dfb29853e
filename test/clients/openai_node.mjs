// The official OpenAI client for Node against a running server: completes, streams, calls a tool.
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [url, key, modules] = process.argv.slice(2);
const {default: OpenAI} = await import(pathToFileURL(createRequire(modules + "/x.js").resolve("openai")));
const client = new OpenAI({baseURL: url + "/v1", apiKey: key, maxRetries: 0});
const OpenAIClass = OpenAI.default ?? OpenAI;

const {data: answer, response} = await client.chat.completions
  .create({model: "assistant", messages: [{role: "user", content: "hello there"}], signalbox: {decision: true}})
  .withResponse();
assert.equal(answer.choices[0].message.content, "echo: hello there");
assert.equal(answer.usage.total_tokens, 5);
assert.equal(answer.signalbox.route, "CONVERSATIONAL");
assert.equal(response.headers.get("x-signalbox-route"), "CONVERSATIONAL");

let text = "", decision;
const stream = await client.chat.completions.create({
  model: "auto", stream: true, messages: [{role: "user", content: "hello there"}], signalbox: {decision: true}});
for await (const chunk of stream) {
  text += chunk.choices[0]?.delta?.content ?? "";
  decision = chunk.signalbox ?? decision;
}
assert.equal(text.trim(), "echo: hello there");
assert.equal(decision.route, "CONVERSATIONAL");

const tools = [{type: "function", function: {name: "weather", parameters: {type: "object", properties: {}}}}];
const first = await client.chat.completions.create({
  model: "assistant", tools, messages: [{role: "user", content: "hi, what is the weather like?"}]});
assert.equal(first.choices[0].message.tool_calls[0].function.name, "weather");
await assert.rejects(
  client.chat.completions.create({model: "gpt-9", messages: [{role: "user", content: "x"}]}),
  error => error instanceof OpenAIClass.NotFoundError && error.code === "model_not_found");
console.log("openai for Node: ok");
