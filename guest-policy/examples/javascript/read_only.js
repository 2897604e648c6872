// Allows a command only if every part of it only reads.

const READERS = new Set(["cat", "echo", "grep", "head", "ls", "pwd", "tail", "wc"]);

// What is not here writes, or duplicates a descriptor that may lead to a file.
const READING = new Set(["read", "here-document", "here-string"]);

/**
 * Whether a segment starts a known program and neither assigns nor writes.
 * An assignment can change what a program does, as `LD_PRELOAD=x ls` shows.
 */
function reads(segment) {
  return (
    READERS.has(segment.words[0]?.value) &&
    segment.assignments.length === 0 &&
    segment.redirects.every((redirect) => READING.has(redirect.operator))
  );
}

/** A verdict about the whole text. */
function verdict(decision, rule, reason) {
  return {
    decision,
    rule: `read-only/${rule}`,
    category: "read-only",
    reason,
    spans: [],
    risk: decision === "allow" ? "low" : "medium",
    annotations: [],
  };
}

/** The export; it must bear the interface's name. */
export const policy = {
  /** Takes no settings. */
  configure(_settings) {},

  /** Judges one request. */
  evaluate(request) {
    const line = request.commandLine();
    if (line.opaque.length > 0) {
      return verdict("deny", "opaque", "not all of the command could be read");
    }
    if (!line.segments.every(reads)) {
      return verdict("deny", "other", "only commands that read are allowed");
    }
    if (line.segments.length === 0) {
      return verdict("deny", "empty", "there is no command to judge");
    }
    return verdict("allow", "reads", "every part of it only reads");
  },
};
