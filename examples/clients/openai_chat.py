"""pip install openai"""
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key="none-needed-on-loopback")
stream = client.chat.completions.create(
    model="auto", stream=True, messages=[{"role": "user", "content": "Hello there!"}],
    extra_body={"signalbox": {"session_id": "demo-1", "decision": True}})
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    elif getattr(chunk, "signalbox", None):
        print(f"\n[{chunk.signalbox['route']}, decided by {chunk.signalbox['decided_by']}]")
