package schema

import "testing"

type searchInput struct {
	Query string   `json:"query" jsonschema:"description=What to look for,minLength=1"`
	Limit int      `json:"limit,omitempty" jsonschema:"description=How many passages,minimum=1,maximum=50,default=10"`
	Order string   `json:"order,omitempty" jsonschema:"enum=asc,enum=desc"`
	Tags  []string `json:"tags,omitempty"`
}

type orderInput struct {
	Customer struct {
		Name  string `json:"name" jsonschema:"minLength=1"`
		Email string `json:"email,omitempty" jsonschema:"pattern=^[^@]+@[^@]+$"`
	} `json:"customer"`
	Lines []struct {
		SKU      string  `json:"sku"`
		Quantity int     `json:"quantity" jsonschema:"minimum=1"`
		Price    float64 `json:"price,omitempty" jsonschema:"minimum=0"`
	} `json:"lines" jsonschema:"minItems=1"`
}

func BenchmarkPrepare(b *testing.B) {
	search, err := For[searchInput]()
	if err != nil {
		b.Fatal(err)
	}
	order, err := For[orderInput]()
	if err != nil {
		b.Fatal(err)
	}
	for _, bm := range []struct {
		name   string
		schema *Schema
		args   string
	}{
		{"valid", search, `{"query":"leave policy","limit":5,"order":"asc","tags":["hr","2026"]}`},
		{"default", search, `{"query":"leave policy","order":"asc","tags":["hr","2026"]}`},
		{"null", search, `{"query":"leave policy","limit":null,"order":"asc","tags":["hr"]}`},
		{"invalid", search, `{"query":"","limit":0,"order":"up","tgas":[]}`},
		{"nested", order, `{"customer":{"name":"Ada","email":"ada@example.com"},"lines":[{"sku":"a-1","quantity":2,"price":9.99},{"sku":"b-2","quantity":1}]}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			args := []byte(bm.args)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bm.schema.Prepare(args)
			}
		})
	}
}

func BenchmarkCoerce(b *testing.B) {
	s, err := For[searchInput]()
	if err != nil {
		b.Fatal(err)
	}
	args := []byte(`{"query":"leave policy","limit":"5","order":"asc","tags":"[\"hr\"]"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Coerce(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFor(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := For[searchInput](); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	s, err := For[searchInput]()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(s.JSON()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	s, err := For[orderInput]()
	if err != nil {
		b.Fatal(err)
	}
	for p := range Profile(len(profileNames)) {
		b.Run(p.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = s.Render(p)
			}
		})
	}
}
