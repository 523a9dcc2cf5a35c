package mend

// Message returns data as the SDK can read it.
func Message(data []byte) []byte { return data }
