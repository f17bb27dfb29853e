// npm install ai @ai-sdk/openai-compatible
import {createOpenAICompatible} from "@ai-sdk/openai-compatible";
import {streamText} from "ai";

const signalbox = createOpenAICompatible({name: "signalbox", baseURL: "http://127.0.0.1:8080/v1"});
const {textStream} = streamText({model: signalbox("auto"), prompt: "Hello there!"});
for await (const piece of textStream) process.stdout.write(piece);
