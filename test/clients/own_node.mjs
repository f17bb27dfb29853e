// Our own client for Node against a running server.
import assert from "node:assert/strict";
import {Signalbox, SignalboxError} from "../../clients/node/index.js";

const [url, key] = process.argv.slice(2);
const client = new Signalbox({url, key});
assert.ok(await client.isReady());
assert.equal((await client.route("hello there", {profile: "assistant"})).route, "CONVERSATIONAL");
const batch = [];
for await (const item of client.routeBatch([{query: "hello there", id: 1}, {id: 2}])) batch.push(item);
assert.equal(batch[0].id, 1);
assert.equal(batch[1].error.code, "invalid_input");
assert.ok((await client.profiles()).length >= 1);
await assert.rejects(client.route("x", {profile: "nowhere"}), e => e instanceof SignalboxError && e.code === "not_found");
console.log("signalbox-client for Node: ok");
