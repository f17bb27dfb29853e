"""The official OpenAI client for Python against a running server: completes, streams, calls a tool."""
import sys

from openai import NotFoundError, OpenAI

client = OpenAI(base_url=sys.argv[1] + "/v1", api_key=sys.argv[2], max_retries=0)
assert "assistant" in [model.id for model in client.models.list()]

raw = client.chat.completions.with_raw_response.create(
    model="assistant", messages=[{"role": "user", "content": "hello there"}], user="u-1",
    extra_body={"signalbox": {"session_id": "py-1", "decision": True}}, metadata={"team": "x"})
answer = raw.parse()
assert answer.choices[0].message.content == "echo: hello there", answer
assert answer.usage.total_tokens == 5
assert raw.headers["x-signalbox-route"] == "CONVERSATIONAL", raw.headers
assert answer.signalbox["route"] == "CONVERSATIONAL"

text, usage, decision = "", None, None
for chunk in client.chat.completions.create(
        model="auto", stream=True, stream_options={"include_usage": True},
        messages=[{"role": "user", "content": "hello there"}], extra_body={"signalbox": {"decision": True}}):
    if chunk.choices:
        text += chunk.choices[0].delta.content or ""
    usage = chunk.usage or usage
    decision = getattr(chunk, "signalbox", None) or decision
assert text.strip() == "echo: hello there", text
assert usage.total_tokens == 5
assert decision["route"] == "CONVERSATIONAL"

tool = {"type": "function", "function": {"name": "weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}}}}
messages = [{"role": "user", "content": "hi, what is the weather like?"}]
first = client.chat.completions.create(model="assistant", messages=messages, tools=[tool])
call = first.choices[0].message.tool_calls[0]
assert call.function.name == "weather", first
messages += [first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]
second = client.chat.completions.create(model="assistant", messages=messages, tools=[tool])
assert second.choices[0].message.content == "echo: sunny", second

try:
    client.chat.completions.create(model="gpt-9", messages=[{"role": "user", "content": "x"}])
    raise AssertionError("an unknown model was taken")
except NotFoundError as error:
    assert error.code == "model_not_found", error.code
print("openai for Python: ok")
