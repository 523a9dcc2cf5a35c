#!/bin/sh
# Count the words of standard input.
exec wc -w
