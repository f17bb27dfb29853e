#!/usr/bin/env python3
"""What a streamed chat through the server costs over a direct call: time to the first byte, both in one run.

Usage: bench/stream_bench.py PROGRAM [CALLS]. Budget: 60 us more at the median. A C-speed model is not needed: both
ways end at the same one, which answers at once.
"""
import json, os, re, socket, statistics, subprocess, sys, threading, time

program, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\ndata: [DONE]\n\n'
ANSWER = (b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(EVENT)) + EVENT


def read_request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return False
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
    while len(body) < length:
        body += connection.recv(65536)
    return True


def serve(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while read_request(connection):
        connection.sendall(ANSWER)


def accept(listener):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
model = listener.getsockname()[1]
profile = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stream_bench.yaml")
server = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--profile", profile], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "SIGNALBOX_LLM_URL": f"http://127.0.0.1:{model}", "SIGNALBOX_LLM_MODEL": "m"})
port = int(re.search(r":(\d+)/", server.stdout.readline()).group(1))
body = json.dumps({"model": "auto", "stream": True, "messages": [{"role": "user", "content": "hello there"}]}).encode()


def call(connection):
    start = time.perf_counter()
    connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
                       b"content-length: %d\r\n\r\n" % len(body) + body)
    data = connection.recv(65536)
    first = None
    while True:
        if first is None and b"data:" in data:
            first = time.perf_counter() - start
        if b"[DONE]\n\n" in data and (b"chunked" not in data or data.endswith(b"0\r\n\r\n")):
            return first * 1e6
        data += connection.recv(65536)


ways = {name: socket.create_connection(("127.0.0.1", to)) for name, to in (("direct", model), ("routed", port))}
for connection in ways.values():
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
times = {name: [] for name in ways}
for i in range(calls):
    for name, connection in ways.items():  # in turn, so that both meet the same machine
        taken = call(connection)
        if i >= calls // 10:
            times[name].append(taken)
server.terminate()
direct, routed = (statistics.median(times[name]) for name in ("direct", "routed"))
print(f"first byte, p50 of {len(times['direct'])}: direct {direct:.0f} us, routed {routed:.0f} us, {routed - direct:+.0f} us (budget 60)")
