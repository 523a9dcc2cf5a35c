// Package tail keeps the end of what a program prints to its standard error, so that
// the error of a program that died can say why.
package tail
