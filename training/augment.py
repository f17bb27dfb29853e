"""Made-up queries and noise, from the gathered text and WordNet's vocabulary alone."""

from __future__ import annotations

import bisect
import itertools
import random
import unicodedata

TEMPLATES = [
    "how do i {v} my {n}", "i want to {v} a {n}", "where is my {n}", "what is {n}", "what does {n} mean",
    "can you {v} the {n} for me", "why is my {n} not working", "is the {n} {a}?", "how much does a {n} cost",
    "cancel my {n}", "do you have {n} for {n}", "my {n} has not arrived yet", "{n} price", "{n} {n}",
    "difference between {n} and {n}", "best {n} for {n}", "show me {a} {n}", "i need help with my {n}",
    "who invented the {n}", "tell me about {n}", "find {n} near me", "please {v} the {n} {r}",
    "how many {n} are in a {n}", "is it safe to {v} {n}", "the {n} is too {a}", "i lost my {n}",
    "can i {v} the {n} after i {v} it", "what is the {n} of the {n}", "when will the {n} be {a} again",
    "i would like to return the {n}", "how to {v} {n}", "which {n} should i {v}", "are there any {n} for {n}",
    "what are the side effects of {n}", "add {n} to my {n}", "remind me to {v} the {n}", "play some {n}",
    "change the {n} of my {n}", "i am {a} about the {n}", "does {n} help with {n}", "compare {n} with {n}",
    "give me a list of {a} {n}", "write a {n} about {n}", "translate {n}", "summarize the {n}",
    "calculate the {n} of {n}", "what size {n} do i need for my {n}", "offers on {n}", "is {n} available in {n}",
    "explain the {n} theory of {n}", "the {n} that i {v} is {a}", "how long does {n} take to {v}",
    "can i pay for the {n} by {n}", "who won the {n}", "book a {n}", "order {n}", "{v} {n}", "{a} {n}", "{n}",
    "my {n} hurts when i {v}", "what happens if i {v} my {n}", "generate a {n} for my {n} website",
    "search for {n} in the {n} database", "i have a question about {n}", "turn off the {n}", "{v} it {r}",
]
JOINS = [" and ", ", ", ". ", " also ", ", and then ", " and also ", "; ", " plus ", " "]
STOP = set("a an the i you he she it we they my your his her its our their me him us them this that these those is "
           "are was were be been am do does did have has had of in on at to for from by with and or not no so if as "
           "will would can could should may might must what who where when why how which there here all any some".split())


class Lemmas:
    """Words by part of speech, drawn half by how common they are and half evenly."""

    def __init__(self, rows: list[tuple[str, str, int]]) -> None:
        self.by_pos: dict[str, list[str]] = {pos: [] for pos in "nvar"}
        weights: dict[str, list[float]] = {pos: [] for pos in "nvar"}
        best: dict[str, tuple[int, str]] = {}
        for pos, lemma, count in rows:
            self.by_pos[pos].append(lemma)
            weights[pos].append(count ** 0.7 + 0.01)
            if lemma not in best or count > best[lemma][0]:
                best[lemma] = (count, pos)
        self.cumulative = {pos: list(itertools.accumulate(w)) for pos, w in weights.items()}
        self.pos_of = {lemma: pos for lemma, (_, pos) in best.items() if lemma not in STOP}

    def draw(self, pos: str, rng: random.Random) -> str:
        lemmas = self.by_pos[pos]
        if rng.random() < 0.3:
            return rng.choice(lemmas)
        cumulative = self.cumulative[pos]
        return lemmas[bisect.bisect(cumulative, rng.random() * cumulative[-1]) % len(lemmas)]


def fill_template(lemmas: Lemmas, rng: random.Random) -> str:
    text = rng.choice(TEMPLATES)
    for pos in "nvar":
        while (slot := "{" + pos + "}") in text:
            text = text.replace(slot, lemmas.draw(pos, rng), 1)
    return text


def substitute(text: str, lemmas: Lemmas, rng: random.Random) -> str:
    """The sentence with one to three of its content words exchanged for others of their kind."""
    tokens = text.split()
    places = []
    for i, token in enumerate(tokens):
        bare = token.strip(".,?!\"'").lower()
        pos = lemmas.pos_of.get(bare) or (lemmas.pos_of.get(bare[:-1]) if bare.endswith("s") else None)
        if pos:
            places.append((i, pos, bare.endswith("s") and bare not in lemmas.pos_of))
    for i, pos, plural in rng.sample(places, min(len(places), rng.choice((1, 1, 2, 3)))):
        tail = tokens[i][len(tokens[i].rstrip(".,?!\"'")):]
        tokens[i] = lemmas.draw(pos, rng) + ("s" if plural else "") + tail
    return " ".join(tokens)


def fragment(text: str, rng: random.Random) -> str:
    tokens = text.split()
    size = rng.randint(1, 6)
    if len(tokens) <= size:
        return text
    start = rng.randrange(len(tokens) - size + 1)
    return " ".join(tokens[start:start + size])


def _typo(word: str, rng: random.Random) -> str:
    i = rng.randrange(len(word) - 1)
    kind = rng.randrange(5)
    if kind == 0:
        return word[:i] + word[i + 1] + word[i] + word[i + 2:]
    if kind == 1:
        return word[:i + 1] + word[i + 2:]
    if kind == 2:
        return word[:i + 1] + word[i:]
    if kind == 3:
        return word[:i + 1] + rng.choice("etaoinsrhldcumfpgwybvkxjqz") + word[i + 2:]
    return word[:i + 1] + rng.choice("etaoinsrhldcum") + word[i + 1:]


def add_noise(text: str, rng: random.Random) -> str:
    """Typos, lost accents, lost punctuation, lost or glued words."""
    if rng.random() < 0.25:
        plain = unicodedata.normalize("NFD", text)
        text = "".join(c for c in plain if not "\u0300" <= c <= "\u036f")
    if rng.random() < 0.4:
        text = text.rstrip(".?!。？！")
    tokens = text.split()
    if len(tokens) > 3 and rng.random() < 0.2:
        del tokens[rng.randrange(len(tokens))]
    if len(tokens) > 3 and rng.random() < 0.1:
        i = rng.randrange(len(tokens) - 1)
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
    long = [i for i, t in enumerate(tokens) if len(t) > 3 and t.isascii() or len(t) > 5]
    for i in rng.sample(long, min(len(long), rng.choice((0, 1, 1, 1, 2)))):
        tokens[i] = _typo(tokens[i], rng)
    return " ".join(tokens)
