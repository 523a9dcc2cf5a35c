#!/bin/sh
# Each argument of the tool is one word: --before=… and --after=…
for argument in "$@"; do
	case $argument in
	--before=*) printf '%s\n' "${argument#--before=}" >before ;;
	--after=*) printf '%s\n' "${argument#--after=}" >after ;;
	esac
done

diff -u -L before -L after before after
case $? in
0) echo "The texts are the same." ;;
1) ;; # they differ, which is no failure
*) exit 2 ;;
esac
