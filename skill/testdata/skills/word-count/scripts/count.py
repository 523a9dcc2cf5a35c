#!/usr/bin/env python3
"""Count the words, lines and characters of standard input, as JSON."""
import argparse
import collections
import json
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--top", type=int, default=0, help="also print the N most frequent words")
options = parser.parse_args()

text = sys.stdin.read()
words = text.split()
result = {"words": len(words), "lines": len(text.splitlines()), "characters": len(text)}
if options.top > 0:
    result["top"] = collections.Counter(w.lower() for w in words).most_common(options.top)
json.dump(result, sys.stdout)
