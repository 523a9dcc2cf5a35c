package fixtures

// Contact is a person who can be reached by one of two ways. No Go type can say that,
// so the schema does.
//
//helve:schema {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}
type Contact struct {
	Name    string `json:"name"`
	Address struct {
		Street string `json:"street"`
		City   string `json:"city"`
	} `json:"address"`
	ContactMethod string `json:"contactMethod"`
	Phone         string `json:"phone"`
	Email         string `json:"email"`
}

// Reach says how somebody is reached.
//
//helve:tool name=json_schema_2020_12_tool read_only
func Reach(contact Contact) string {
	if contact.ContactMethod == "phone" {
		return contact.Phone
	}
	return contact.Email
}

// Region is a place, which clients repeat in a header of their request, for whoever
// sends it on to a server there.
//
//helve:schema {"type":"object","properties":{"region":{"type":"string","description":"Where","x-mcp-header":"Region"},"level":{"type":"integer"}}}
type Region struct {
	Region string `json:"region"`
	Level  int    `json:"level"`
}

// InRegion says where it was called.
//
//helve:tool name=test_x_mcp_header read_only
func InRegion(region Region) string { return region.Region }
