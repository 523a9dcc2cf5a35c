package mend
