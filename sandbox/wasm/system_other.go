//go:build !unix

package wasm

import "io/fs"

const withoutWaiting = 0

func notFolder(error) bool { return false }

func owner(fs.FileInfo) (ours, roots bool) { return true, true }

// hasOwners is false where permissions are not those of Unix; a folder is then as safe as
// the profile of the user that it is in.
const hasOwners = false
