package dialect

// Auto is …
func Auto() *Dialect { return &tag }
