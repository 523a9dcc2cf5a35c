package kinds

// Contact is one way to reach somebody.
//
//helve:schema {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"way":{"type":"string"}},"properties":{"phone":{"$ref":"#/$defs/way"},"email":{"$ref":"#/$defs/way"}},"oneOf":[{"required":["phone"]},{"required":["email"]}]}
type Contact struct {
	Phone string `json:"phone"`
	Email string `json:"email"`
}

// Reach reaches somebody.
//
//helve:tool
func Reach(contact Contact) string { return contact.Phone + contact.Email }
