"""Allows a command only if every part of it only reads."""

from wit_world import exports
from wit_world.imports.command import RedirectOperator, Segment
from wit_world.imports.request import Request
from wit_world.imports.verdict import Decision, Risk, Verdict

READERS = frozenset({"cat", "echo", "grep", "head", "ls", "pwd", "tail", "wc"})

# What is not here writes, or duplicates a descriptor that may lead to a file.
READING = frozenset(
    {RedirectOperator.READ, RedirectOperator.HERE_DOCUMENT, RedirectOperator.HERE_STRING}
)


def reads(segment: Segment) -> bool:
    """Whether a segment starts a known program and neither assigns nor writes.

    An assignment can change what a program does, as `LD_PRELOAD=x ls` shows.
    """
    program = segment.words[0].value if segment.words else None
    return (
        program in READERS
        and not segment.assignments
        and all(redirect.operator in READING for redirect in segment.redirects)
    )


def verdict(decision: Decision, rule: str, reason: str) -> Verdict:
    """A verdict about the whole text."""
    return Verdict(
        decision=decision,
        rule=f"read-only/{rule}",
        category="read-only",
        reason=reason,
        spans=[],
        risk=Risk.LOW if decision == Decision.ALLOW else Risk.MEDIUM,
        remedy=None,
        annotations=[],
    )


class Policy(exports.Policy):
    """The export; the class must bear the interface's name."""

    def configure(self, settings: str) -> None:
        """Takes no settings."""

    def evaluate(self, request: Request) -> Verdict:
        """Judges one request."""
        line = request.command_line()
        if line.opaque:
            return verdict(Decision.DENY, "opaque", "not all of the command could be read")
        for segment in line.segments:
            if not reads(segment):
                return verdict(Decision.DENY, "other", "only commands that read are allowed")
        if not line.segments:
            return verdict(Decision.DENY, "empty", "there is no command to judge")
        return verdict(Decision.ALLOW, "reads", "every part of it only reads")
