//go:build !unix

package main

// signalNumber is for systems on which no program runs isolated.
func signalNumber(string) int { return 0 }
