"""pip install langgraph; PYTHONPATH=clients/python"""
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from signalbox_client import Signalbox

router = Signalbox("http://127.0.0.1:8080")


class State(TypedDict):
    question: str
    answer: str


def choose(state: State) -> str:
    decision = router.route(state["question"], profile="agents")
    return decision["route"] or "triage"


def agent(name: str):
    return lambda state: {"answer": f"{name} answers: {state['question']}"}


names = ["analytics", "knowledge", "commerce", "triage"]
graph = StateGraph(State)
for name in names:
    graph.add_node(name, agent(name))
    graph.add_edge(name, END)
graph.add_conditional_edges(START, choose, names)
print(graph.compile().invoke({"question": "How many orders did we ship by state last month?"})["answer"])
