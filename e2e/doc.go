// Package e2e runs helve against what others made: see its scripts, which fetch that.
package e2e
