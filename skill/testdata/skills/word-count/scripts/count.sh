# Count the words of the files that are named.
wc -w "$@"
