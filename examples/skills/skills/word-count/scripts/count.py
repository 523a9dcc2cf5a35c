#!/usr/bin/env python3
"""Count the words, lines and characters of standard input, and print JSON."""

import argparse
import collections
import json
import string
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", type=int, default=0, metavar="N", help="also the N most frequent words")
    options = parser.parse_args()

    text = sys.stdin.read()
    words = text.split()
    result = {"words": len(words), "lines": len(text.splitlines()), "characters": len(text)}
    if options.top > 0:
        plain = (word.lower().strip(string.punctuation) for word in words)
        result["top"] = dict(collections.Counter(word for word in plain if word).most_common(options.top))
    print(json.dumps(result, ensure_ascii=False))


main()
