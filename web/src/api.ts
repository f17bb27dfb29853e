// Calls of the API: JSON, errors with the server's own words, and the stream of a chat.

import {key, needsKey} from "./state";
import type {Decision} from "./types";

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly decision?: Decision) {
    super(message);
  }
}

function headers(): Record<string, string> {
  const out: Record<string, string> = {"content-type": "application/json"};
  if (key.value) out.authorization = `Bearer ${key.value}`;
  return out;
}

async function failure(reply: Response): Promise<ApiError> {
  const text = await reply.text();
  try {
    const {error, signalbox} = JSON.parse(text);
    if (reply.status === 401) needsKey.value = true;
    return new ApiError(reply.status, error.code, error.message, signalbox);
  } catch {
    return new ApiError(reply.status, "", text.slice(0, 300) || reply.statusText);
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(path, {...init, headers: headers()});
  } catch (problem) {
    if (init.signal?.aborted) throw problem;
    throw new ApiError(0, "unreachable", "");
  }
  if (!reply.ok) throw await failure(reply);
  return reply;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, {signal})).json() as Promise<T>;
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await send(path, {signal})).text();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(path, {method: "POST", body: JSON.stringify(body), signal})).json() as Promise<T>;
}

// Where a message would go, and the id under which that is known.
export async function route(body: unknown, signal?: AbortSignal): Promise<{decision: Decision; id: string}> {
  const reply = await send("/v1/route", {method: "POST", body: JSON.stringify(body), signal});
  return {decision: await reply.json(), id: reply.headers.get("x-signalbox-id") ?? ""};
}

export async function remove(path: string): Promise<void> {
  await send(path, {method: "DELETE"});
}

// The lines `data: …` of an event stream, whatever pieces they come in.
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let held = "";
  for (;;) {
    const {value, done} = await reader.read().catch(problem => {
      if (problem.name === "AbortError") throw problem;
      throw new ApiError(0, "broken_off", "");
    });
    held += value ?? "";
    const lines = held.split(/\r?\n/);
    held = done ? "" : lines.pop()!;
    for (const line of lines) if (line.startsWith("data:")) yield line.slice(5).trim();
    if (done) return;
  }
}

export interface ChatHears {
  id(id: string): void;
  decision(decision: Decision): void;
  text(piece: string): void;
}

// Sends a message through the router to the model behind its route. The decision is heard before the answer.
export async function chat(
  body: {model: string; messages: {role: string; content: string}[]; signalbox: object},
  hears: ChatHears, signal: AbortSignal,
): Promise<void> {
  const reply = await send("/v1/chat/completions", {
    method: "POST", signal,
    body: JSON.stringify({...body, stream: true, signalbox: {...body.signalbox, decision: true, decision_first: true}}),
  });
  hears.id(reply.headers.get("x-signalbox-id") ?? "");
  for await (const data of events(reply.body!)) {
    if (data === "[DONE]") return;
    const chunk = JSON.parse(data);
    if (chunk.error) throw new ApiError(502, chunk.error.code ?? "", chunk.error.message);
    if (chunk.signalbox) hears.decision(chunk.signalbox);
    const piece = chunk.choices?.[0]?.delta?.content;
    if (piece) hears.text(piece);
  }
}
