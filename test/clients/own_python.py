"""Our own client for Python against a running server."""
import sys
import time

from signalbox_client import Signalbox, SignalboxError

client = Signalbox(sys.argv[1], key=sys.argv[2])
assert client.is_ready()
assert client.route("hello there", profile="assistant")["route"] == "CONVERSATIONAL"
batch = list(client.route_batch([{"query": "hello there", "id": 1}, {"id": 2}]))
assert batch[0]["id"] == 1 and batch[1]["error"]["code"] == "invalid_input", batch
assert any(profile["profile"] == "agents" for profile in client.profiles())
for _ in range(100):  # the log is written beside the requests
    logged = list(client.decisions(page=1))
    if len(logged) >= 2:
        break
    time.sleep(0.05)
assert len(logged) >= 2, logged
client.feedback(logged[0]["id"], "down", comment="no")
try:
    client.route("x", profile="nowhere")
    raise AssertionError("an unknown profile was taken")
except SignalboxError as error:
    assert (error.status, error.code) == (404, "not_found")
print("signalbox-client for Python: ok")
