"""Counts words. The arguments are JSON on standard input, the result JSON on standard output."""

import collections
import json
import re
import sys

arguments = json.load(sys.stdin)
text = arguments["text"]
words = re.findall(r"\w+(?:['’-]\w+)*", text.lower())
if not words:
    # The model reads this, in our own words.
    json.dump({"error": "the text has no words: give the text itself, not its name"}, sys.stdout)
    sys.exit(1)

json.dump(
    {
        "words": len(words),
        "lines": len(text.splitlines()),
        "characters": len(text),
        "most": dict(collections.Counter(words).most_common(arguments["most"])),
    },
    sys.stdout,
    ensure_ascii=False,
)
