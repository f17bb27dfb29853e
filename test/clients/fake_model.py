"""An OpenAI-compatible model server for tests: echoes, streams, calls the first tool it is offered."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        base = {"id": "chatcmpl-1", "created": 1, "model": body["model"]}
        usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
        last = body["messages"][-1]
        if body.get("tools") and last["role"] == "user":
            call = {"id": "call_1", "type": "function",
                    "function": {"name": body["tools"][0]["function"]["name"], "arguments": '{"city": "Lisbon"}'}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
            reason = "tool_calls"
        else:
            message = {"role": "assistant", "content": "echo: " + str(last["content"])}
            reason = "stop"
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
            self.reply("application/json",
                       json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}))
            return
        events = []
        for piece in message["content"].split(" "):
            delta = {"index": 0, "delta": {"role": "assistant", "content": piece + " "}, "finish_reason": None}
            events.append({**base, "object": "chat.completion.chunk", "choices": [delta]})
        events.append({**base, "object": "chat.completion.chunk",
                       "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if (body.get("stream_options") or {}).get("include_usage"):
            events.append({**base, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        text = "".join("data: " + json.dumps(event) + "\n\n" for event in events) + "data: [DONE]\n\n"
        self.reply("text/event-stream", text)

    def reply(self, kind, text):
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
