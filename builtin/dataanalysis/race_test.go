//go:build race

package dataanalysis

func init() { underRace = true }
