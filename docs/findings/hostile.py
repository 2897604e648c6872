"""Prints hostile texts as rows for `execgate policy check`; an id is number, bytes, beginning."""

import json

MAX = 128 * 1024


def fill(u):
    return (u.encode() * (MAX // len(u.encode()))).decode()


def nest(o, i, c, n):
    return o * n + i + c * n


units = [
    "`",
    "'",
    '"',
    "<<",
    "|",
    ";",
    "\\",
    "a|",
    "a;",
    "a&&",
    "a&",
    "$",
    "${",
    "$(",
    "$((",
    "<(",
    '"$(',
    '"${x:-"',
    "a=(",
    "a[",
    "#",
    "\n",
    "\\\n",
    "~ ",
    "a=",
    "*?[",
    "x=1 ",
    "((a);",
    "$((a) ",
    "$(('",
    "[[ ",
    "[[ a =~ (",
    "case x in a) ",
    "if ",
    "while ",
    "f(){ ",
    "cat <<E\n$(a)\nE\n",
    "cat <<E\n",
    "{a,b}",
    "{a,",
    "{",
    "}",
    "eval ",
    "sudo ",
    "env a=b ",
    "for i in a;do x=1;b;done;",
    "x=$x$x;",
    "$'\\x41'",
    "{x}>a ",
    "1>a ",
    "!",
    "time ",
    "${a[${a[",
    "é",
    "a é ",
    "a b ",
    "a 'b' ",
    "-exec ",
    "a=b;",
    "$x ",
]
texts = [fill(u) for u in units]
for n in (50, 99, 200, 10000):
    for o, i, c in [
        ("{ ", "a", "; }"),
        ("(", "a", ")"),
        ("( ", "a", " )"),
        ("$(", "a", ")"),
        ("$((", "1", "))"),
        ("$((", "a", ") )"),
        ("((((a) ) ) )", "", ""),
        ("${a[", "x", "]}"),
        ('"${a:-', "x", '}"'),
        ("{a,", "b", "}"),
        ("case x in a) ", "b", ";; esac"),
        ("while a;do ", "b", ";done"),
        ("f(){ ", "a", ";}"),
        ("[[ ( ", "a", " ) ]]"),
        ("<(", "a", ")"),
        ("if a; then ", "b", "; fi"),
        ("coproc { ", "a", "; }"),
        ("! ", "a", ""),
        ("x=(", "a", ")"),
        ('bash -c "', "a", '"'),
        ("a | ( ", "b", " )"),
        ("select x in a; do ", "b", "; done"),
        ("function f { ", "a", "; }"),
        ("${a:-$(", "x", ")}"),
        ("`", "a", "`"),
        ('"$(', "a", ')"'),
        ("$[", "1", "]"),
        ("for ((;;)); do ", "a", "; done"),
    ]:
        texts.append(nest(o, i, c, n))
texts.append("(" * 60000)
texts.append("echo " + "{a,b}" * 40)
texts.append("echo " + "{1..4000} " * 10000)
texts.append("echo {1..99999999999999999999} {-9223372036854775808..9223372036854775807..9223372036854775807}")
texts.append("".join(f"<<E{n} " for n in range(5000)) + "".join(f"\nx\nE{n}" for n in range(5000)))
texts.append('x="' + "a " * 30000 + '"; ' + "b $x;" * 3000)
texts.append("x='" + "a;" * 10 + "'; " + 'eval "$x";' * 10000)
texts.append('x=\'eval "$x" "$x"\'; eval "$x"; x=\'y="$y$y"; eval "$x"\'; eval "$x"')
texts.append("".join(f"f{n}(){{ x{n}=1;}};" for n in range(6000)))
texts.append("`" + "\\`" * 1000 + "`")
texts.append("find " + "-exec b \\; " * 9000)


def esc(s, n):
    for _ in range(n):
        s = "`" + s.replace("\\", "\\\\").replace("`", "\\`") + "`"
    return s


for n in (3, 6, 9, 12):
    texts.append(esc("a", n))


def sh(s, n):
    for _ in range(n):
        s = "sh -c '" + s.replace("'", "'\\''") + "'"
    return s


for n in (4, 7, 9):
    texts.append(sh("a", n))
texts.append("cat <<E\n" + "$(" * 99 + "a" + ")" * 99 + "\nE")
texts.append("a" * MAX)
texts.append("a" * (MAX + 1))
texts.append("a;" * 10000)
texts.append("a;" * 10001)
texts.append("a " * 65000)
texts.append("\0")
texts.append("x=" + "$x" * 60000)
texts.append("a=b;" * 30000)
texts.append("".join(f"v{n}=b;" for n in range(12000)))
texts.append("".join(f"v{n}=$v{n-1}$v{n-1};" for n in range(1, 5000)))
texts.append("".join(f"v{n}=$v{n-1}$v{n-1};" for n in range(1, 5000)) + "$v4000")
texts.append("v0=aaaaaaaaaaaaaaaa;" + "".join(f"v{n}=$v{n-1}$v{n-1};" for n in range(1, 4000)) + "".join(f"$v{n};" for n in range(1, 2000)))
texts.append("if a;then x=1;else x=2;fi;" * 4500 + "$x")
texts.append("xargs " * 20000)
texts.append("env " * 30000 + "a")
texts.append("sudo -u a " * 12000)
texts.append("nohup nice timeout 1 " * 6000)
texts.append("case x in " + "a|" * 40000 + "b) c;; esac")
texts.append("case x in " + "a) c;; " * 9000 + "esac")
texts.append("[[ " + "a && " * 25000 + "b ]]")
texts.append("[[ " + "! " * 60000 + "b ]]")
texts.append("[[" + " (a" * 10000)
texts.append("((" + "(" * 60000)
texts.append("echo " + "'a'\"b\"$c" * 12000)
texts.append('x="' + "$y" * 60000 + '"; $x')
texts.append("trap '" + "a;" * 5000 + "' EXIT;" * 3)
texts.append("cat <<'E' | sh\n" + "a\n" * 9000 + "E")
texts.append("echo '" + "a;" * 5000 + "' | sh;" * 4)
texts.append("{1..100}{1..100}{1..100}")
texts.append("{{{{" * 30000)
texts.append(",".join("{" for _ in range(40000)))
texts.append("{" + "a," * 60000 + "}")
texts.append("{a,b}{" * 20000 + "}" * 20000)
texts.append(".." * 60000)
texts.append("{1.." * 30000)
shown = lambda t: (t[:30] + ("…" if len(t) > 30 else ""))
if __name__ == "__main__":
    for i, t in enumerate(texts):
        print(json.dumps({"id": [i, len(t), shown(t)], "command": t}))
