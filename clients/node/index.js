// A client for Signalbox, over the same paths and fields as server/openapi.yaml. No dependencies.
//
//   const client = new Signalbox({url: "http://127.0.0.1:8080", key: "sbx_…"});
//   const decision = await client.route("how much of my quota is left?", {profile: "assistant"});
//
// For chat use OpenAI's own client with baseURL "http://127.0.0.1:8080/v1".

export class SignalboxError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = "SignalboxError";
    this.status = status;
    this.code = code;
  }
}

export class Signalbox {
  #url;
  #key;
  #timeout;

  constructor({url = "http://127.0.0.1:8080", key, timeout = 30_000} = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = key;
    this.#timeout = timeout;
  }

  route(query, fields = {}) {
    return this.#json("POST", "/v1/route", {query, ...fields});
  }

  async *routeBatch(requests) {
    const body = requests.map(request => JSON.stringify(request) + "\n").join("");
    const reply = await this.#open("POST", "/v1/route/batch", body);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of reply.body) {
      rest += decoder.decode(bytes, {stream: true});
      const lines = rest.split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) yield JSON.parse(line);
    }
  }

  async feedback(decisionId, rating, {route, comment} = {}) {
    await this.#json("POST", "/v1/feedback", {decision_id: decisionId, rating, route, comment});
  }

  async *decisions(page = 50) {
    for (let cursor; ;) {
      const answer = await this.#json("GET", `/v1/decisions?limit=${page}${cursor ? `&cursor=${cursor}` : ""}`);
      yield* answer.decisions;
      if (answer.next === null) return;
      cursor = answer.next;
    }
  }

  async profiles() {
    return (await this.#json("GET", "/v1/profiles")).profiles;
  }

  session(id) {
    return this.#json("GET", `/v1/sessions/${encodeURIComponent(id)}`);
  }

  async forgetSession(id) {
    await this.#json("DELETE", `/v1/sessions/${encodeURIComponent(id)}`);
  }

  async addMessage(id, role, content) {
    await this.#json("POST", `/v1/sessions/${encodeURIComponent(id)}/messages`, {role, content});
  }

  async isReady() {
    try {
      await this.#json("GET", "/readyz");
      return true;
    } catch {
      return false;
    }
  }

  async #json(method, path, body) {
    return (await this.#open(method, path, body && JSON.stringify(body))).json();
  }

  async #open(method, path, body) {
    const headers = {"content-type": "application/json"};
    if (this.#key) headers.authorization = `Bearer ${this.#key}`;
    const reply = await fetch(this.#url + path, {method, headers, body, signal: AbortSignal.timeout(this.#timeout)});
    if (reply.ok) return reply;
    const {error} = await reply.json().catch(() => ({error: {code: "unknown", message: reply.statusText}}));
    throw new SignalboxError(reply.status, error.code, error.message);
  }
}
