// Package openapi makes tools of an OpenAPI document, versions 3.0 and 3.1: one
// [helve/httptool.Config] for each operation.
//
//	imported, err := openapi.Read(data, openapi.Options{Source: "https://api.example.com/openapi.yaml"})
//	for _, t := range imported.Tools {
//		fmt.Println(t.Config.Name, t.Operation)
//		err := os.WriteFile(t.FileName(), t.YAML(), 0o644)
//	}
//	for _, s := range imported.Skipped {
//		fmt.Println(s.Operation, s.Reason)
//	}
//
// The parameters of a path, a query and headers, and the properties of a body
// that is an object, become the parameters of one tool; of two with the same name
// the later gets where it stands in front (body_id). A body that is no plain
// object is the parameter body. Security schemes become auth_method, with the
// names of environment variables in place of keys.
//
// A document comes from outside and is not trusted: it is bounded in size,
// references to other files are refused, and nothing in it stands for a variable
// of the environment.
package openapi
