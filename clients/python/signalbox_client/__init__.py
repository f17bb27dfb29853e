"""A typed client for Signalbox, over the same paths and fields as server/openapi.yaml. Standard library only.

    client = Signalbox("http://127.0.0.1:8080", key="sbx_...")
    decision = client.route("how much of my quota is left?", profile="assistant")
    decision["route"], decision["confidence"], decision["reason"]

For chat use OpenAI's own client with base_url="http://127.0.0.1:8080/v1".
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterable, Iterator, List, Optional, TypedDict, cast

__all__ = ["Signalbox", "SignalboxError", "Decision", "Alternative", "Ask", "TraceLine"]


class Alternative(TypedDict):
    route: str
    confidence: float


class Ask(TypedDict):
    kind: str
    text: str
    options: List[str]


class TraceLine(TypedDict):
    step: str
    outcome: str
    us: int


class Decision(TypedDict, total=False):
    profile: str
    session_id: str
    query: str
    resolved_query: str
    language: str
    route: Optional[str]
    confidence: float
    tier: str
    decided_by: str
    rule: Optional[str]
    reason: str
    alternatives: List[Alternative]
    intents: List[Dict[str, Any]]
    signals: List[str]
    evidence: Dict[str, str]
    tables: List[str]
    columns: List[str]
    supervisor: Dict[str, Any]
    retrieval: bool
    model: Dict[str, Optional[str]]
    target: Optional[Dict[str, str]]
    plan: Optional[Dict[str, Any]]
    ask: Optional[Ask]
    contract: Dict[str, List[str]]
    trace: List[TraceLine]
    llm_calls: int
    elapsed_us: int


class SignalboxError(Exception):
    """What the server refused: its status, code and message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Signalbox:
    def __init__(self, url: str = "http://127.0.0.1:8080", key: Optional[str] = None, timeout: float = 30) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._timeout = timeout

    def route(self, query: str, **fields: Any) -> Decision:
        """Any field of a request: profile, session_id, history, attachments, evidence, allowlist, ..."""
        return cast(Decision, self._json("POST", "/v1/route", {"query": query, **fields}))

    def route_batch(self, requests: Iterable[Dict[str, Any]]) -> Iterator[Dict[str, Any]]:
        """Decisions or errors in the order of the requests, as they are made."""
        body = "".join(json.dumps(request) + "\n" for request in requests).encode()
        with self._open("POST", "/v1/route/batch", body) as reply:
            for line in reply:
                yield json.loads(line)

    def feedback(self, decision_id: str, rating: str, route: str = "", comment: str = "") -> None:
        fields = {"decision_id": decision_id, "rating": rating, "route": route, "comment": comment}
        self._json("POST", "/v1/feedback", {name: value for name, value in fields.items() if value})

    def decisions(self, page: int = 50) -> Iterator[Dict[str, Any]]:
        """The whole log, the newest first."""
        cursor: Optional[int] = None
        while True:
            query = {"limit": page, **({"cursor": cursor} if cursor else {})}
            answer = self._json("GET", "/v1/decisions?" + urllib.parse.urlencode(query))
            yield from answer["decisions"]
            cursor = answer["next"]
            if cursor is None:
                return

    def profiles(self) -> List[Dict[str, Any]]:
        return cast(List[Dict[str, Any]], self._json("GET", "/v1/profiles")["profiles"])

    def session(self, session_id: str) -> Dict[str, Any]:
        return self._json("GET", "/v1/sessions/" + urllib.parse.quote(session_id, safe=""))

    def forget_session(self, session_id: str) -> None:
        self._json("DELETE", "/v1/sessions/" + urllib.parse.quote(session_id, safe=""))

    def add_message(self, session_id: str, role: str, content: str) -> None:
        path = "/v1/sessions/" + urllib.parse.quote(session_id, safe="") + "/messages"
        self._json("POST", path, {"role": role, "content": content})

    def is_ready(self) -> bool:
        try:
            self._json("GET", "/readyz")
            return True
        except (SignalboxError, OSError):
            return False

    def _json(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        with self._open(method, path, None if body is None else json.dumps(body).encode()) as reply:
            return cast(Dict[str, Any], json.load(reply))

    def _open(self, method: str, path: str, body: Optional[bytes]) -> Any:
        request = urllib.request.Request(self._url + path, data=body, method=method)
        request.add_header("content-type", "application/json")
        if self._key:
            request.add_header("authorization", "Bearer " + self._key)
        try:
            return urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as refused:
            try:
                error = json.load(refused)["error"]
            except (ValueError, KeyError):
                raise SignalboxError(refused.code, "unknown", str(refused)) from None
            raise SignalboxError(refused.code, error["code"], error["message"]) from None
