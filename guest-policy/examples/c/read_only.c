// Allows a command only if every part of it only reads.

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "read_only.h"

typedef execgate_policy_command_command_line_t line_t;
typedef execgate_policy_command_segment_t segment_t;
typedef exports_execgate_policy_policy_verdict_t verdict_t;

static const char *const READERS[] = {"cat", "echo", "grep", "head", "ls", "pwd", "tail", "wc"};

static bool is_reader(const read_only_string_t *name) {
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++) {
        if (name->len == strlen(READERS[i]) && memcmp(name->ptr, READERS[i], name->len) == 0) {
            return true;
        }
    }
    return false;
}

// What is not here writes, or duplicates a descriptor that may lead to a file.
static bool only_reads(execgate_policy_command_redirect_operator_t operator) {
    return operator == EXECGATE_POLICY_COMMAND_REDIRECT_OPERATOR_READ
        || operator == EXECGATE_POLICY_COMMAND_REDIRECT_OPERATOR_HERE_DOCUMENT
        || operator == EXECGATE_POLICY_COMMAND_REDIRECT_OPERATOR_HERE_STRING;
}

// An assignment can change what a program does, as `LD_PRELOAD=x ls` shows.
static bool reads(const segment_t *segment) {
    if (segment->words.len == 0 || segment->assignments.len > 0) {
        return false;
    }
    const execgate_policy_command_word_t *program = &segment->words.ptr[0];
    if (!program->value.is_some || !is_reader(&program->value.val)) {
        return false;
    }
    for (size_t i = 0; i < segment->redirects.len; i++) {
        if (!only_reads(segment->redirects.ptr[i].operator_)) {
            return false;
        }
    }
    return true;
}

static bool all_read(const line_t *line) {
    for (size_t i = 0; i < line->segments.len; i++) {
        if (!reads(&line->segments.ptr[i])) {
            return false;
        }
    }
    return true;
}

// The strings are copied: the caller frees every one of the answer's.
static void answer(verdict_t *verdict, bool allowed, const char *rule, const char *reason) {
    memset(verdict, 0, sizeof *verdict);
    verdict->decision = allowed ? EXECGATE_POLICY_VERDICT_DECISION_ALLOW
                                : EXECGATE_POLICY_VERDICT_DECISION_DENY;
    verdict->risk = allowed ? EXECGATE_POLICY_VERDICT_RISK_LOW : EXECGATE_POLICY_VERDICT_RISK_MEDIUM;
    read_only_string_dup(&verdict->rule, rule);
    read_only_string_dup(&verdict->category, "read-only");
    read_only_string_dup(&verdict->reason, reason);
}

// Takes no settings.
bool exports_execgate_policy_policy_configure(
    read_only_string_t *settings, exports_execgate_policy_policy_list_problem_t *problems) {
    (void)problems;
    read_only_string_free(settings);
    return true;
}

void exports_execgate_policy_policy_evaluate(
    exports_execgate_policy_policy_borrow_request_t request, verdict_t *verdict) {
    line_t line;
    execgate_policy_request_method_request_command_line(request, &line);
    if (line.opaque.len > 0) {
        answer(verdict, false, "read-only/opaque", "not all of the command could be read");
    } else if (line.segments.len == 0) {
        answer(verdict, false, "read-only/empty", "there is no command to judge");
    } else if (!all_read(&line)) {
        answer(verdict, false, "read-only/other", "only commands that read are allowed");
    } else {
        answer(verdict, true, "read-only/reads", "every part of it only reads");
    }
    execgate_policy_command_command_line_free(&line);
    // What is lent is handed back, or the whole answer is refused.
    execgate_policy_request_request_drop_borrow(request);
}
