# SPDX-License-Identifier: GPL-2.0

"""Finds each `unsafe` in Rust source, and the comment that justifies it."""

import re
from dataclasses import dataclass

# Everything that can have the text "unsafe" in it without being the keyword.
TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*)
  | (?P<block>/\*)
  | (?P<string>(?:[bc]?r(?P<hashes>\#*)"(?s:.*?)"(?P=hashes)) | [bc]?"(?:[^"\\]|\\(?s:.))*")
  | (?P<char>b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x..|.))')
  | (?P<lifetime>'[A-Za-z_]\w*)
  | (?P<ident>(?:r\#)?[A-Za-z_]\w*)
  | (?P<number>\d[\w.]*)
  | (?P<punct>[^\s])
    """,
    re.VERBOSE,
)


# What an `unsafe` can rely on, by the words of its comment. The first that fits counts.
BASES = {
    "C": r"\w/[\w/*.-]+\.[chS]\b|`\w+\(\w*\)`(?<!`begin`)|\bC (?:code|tracepoints|zeroes|passes|treats)|[Tt]he kernel(?:'s| )(?!crate)",
    "caller": r"\b[Cc]aller|safety contract|[Cc]alled (?:by|only|like|under)|[Nn]ever called",
    "invariant": r"\binvariant",
    "contract": r"[Bb]y (?:the trait|`\w+`)|[Gg]uaranteed? |guarantees? it|the trait",
    "type": r"transparent|zeroes|layout|[Tt]he slot|is the slot|integer|(?:a|an|the|A|The) pointer|identity|[Ss]ame type|same value|representation|padding|"
    r"[Aa]ny (?:value|number)|values? (?:is|are) valid|initialised|fits|bytes?\b",
    "code": r"",
}


@dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclass
class Unsafe:
    """One `unsafe`."""

    path: str
    line: int
    # block, fn, impl, trait
    kind: str
    # The comment, without slashes and line breaks.
    why: str
    # One of BASES.
    relies: str = ""


def tokens(text):
    """Splits Rust source into tokens. Comments are tokens."""
    at, line, found = 0, 1, []
    while match := TOKEN.search(text, at):
        line += text.count("\n", at, match.start())
        at, kind = match.end(), match.lastgroup
        if match["block"]:
            depth = 1
            while depth:
                edge = re.compile(r"/\*|\*/").search(text, at)
                depth += 1 if edge[0] == "/*" else -1
                at = edge.end()
            kind = "comment"
        elif match["string"] is not None:
            kind = "string"
        found.append(Token(kind, text[match.start() : at], line))
        line += text.count("\n", match.start(), at)
    return found


def is_comment(token):
    return token.kind == "comment"


def comment_text(comments):
    """The text of the lines of a comment."""
    return " ".join(re.sub(r"^//[/!]?", "", this.text).strip() for this in comments).strip()


class File:
    """The tokens of a file, with the block around each."""

    def __init__(self, path, text):
        self.path = path
        self.tokens = tokens(text)
        # For each token, what stands before the innermost open brace, back to the start of the item.
        self.around = []
        # Where items and statements start or end: braces, and semicolons except in `[T; N]`.
        self.edges = set()
        open_, brackets, start = [], [], 0
        for n, token in enumerate(self.tokens):
            self.around.append(open_[-1] if open_ else ())
            if token.kind != "punct":
                continue
            if token.text in "([{":
                brackets.append(token.text)
            elif token.text in ")]}" and brackets:
                brackets.pop()
            if token.text == "{":
                open_.append(tuple(t.text for t in self.tokens[start:n] if not is_comment(t)))
            elif token.text == "}" and open_:
                open_.pop()
            if token.text in "{}" or token.text == ";" and "[" not in brackets[-1:]:
                self.edges.add(n)
                start = n + 1

    def code(self, n):
        """The tokens from the nth on, without comments."""
        return [this for this in self.tokens[n : n + 12] if not is_comment(this)]

    def before(self, n, marker):
        """The comment with a marker before the statement or item of the nth token."""
        comments = []
        for at in range(n - 1, -1, -1):
            this = self.tokens[at]
            if is_comment(this):
                comments.insert(0, this)
                if marker in this.text:
                    return comment_text(comments)
                continue
            if at in self.edges:
                break
            comments.clear()
        return ""

    def kind(self, n):
        """What the `unsafe` at the nth token is, or nothing."""
        texts = [this.text for this in self.code(n + 1)]
        if texts[0] == "extern":
            texts = texts[2:] if texts[1].startswith('"') else texts[1:]
        match texts:
            case ["{", *_]:
                return "block"
            # A type, as in `as unsafe extern "C" fn(u32)`.
            case ["fn", "(", *_]:
                return None
            case ["fn" | "impl" | "trait" as kind, *_]:
                return kind
            # A row of a macro that implements traits: what the macro matches, or the row itself.
            case ["[" | "$", "$" | "(" | "trait", *_]:
                return None
            case ["[", *_] | [_, ":", *_]:
                return "impl"
        # A token, as in `Token![unsafe]`.
        return None

    def find(self):
        """Yields each `unsafe`."""
        before = call = ""
        for n, this in enumerate(self.tokens):
            if this.kind == "ident" and [token.text for token in self.code(n + 1)[:1]] == ["!"]:
                # What's said of a macro's call holds for its rows.
                call = self.before(n, "SAFETY:").partition("SAFETY:")[2].strip()
            kind = this.kind == "ident" and this.text == "unsafe" and self.kind(n)
            if not kind:
                continue
            if kind in ("fn", "trait"):
                why = self.before(n, "# Safety").removeprefix("# Safety").strip()
                around = self.around[n]
                if not why and kind == "fn" and "impl" in around and "for" in around:
                    why = "As the trait says."
                relies = "caller" if kind == "fn" else "contract"
            else:
                why = self.before(n, "SAFETY:").partition("SAFETY:")[2].strip()
                if not why and kind == "impl":
                    why = call
                relies = next(base for base, words in BASES.items() if re.search(words, why))
                # "As above", and the like.
                if before and re.match(r"As (?:above|for|there|in)\b", why) and relies == "code":
                    relies = before
                before = relies
            yield Unsafe(self.path, this.line, kind, why, relies)
