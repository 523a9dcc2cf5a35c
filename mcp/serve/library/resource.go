package library

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"helve/catalog"
	"helve/mcp/serve"
	"helve/message"
)

// ResourceFile is a resource as a file describes it, or all resources whose addresses
// fit a template.
type ResourceFile struct {
	URI         string `yaml:"uri" jsonschema_description:"Its address, such as notes://today, or a template for many, such as wiki://{page}. A {+variable} may have slashes."`
	Name        string `yaml:"name" jsonschema:"minLength=1" jsonschema_description:"What clients list it as."`
	Title       string `yaml:"title,omitempty" jsonschema_description:"What people read in its place."`
	Description string `yaml:"description,omitempty" jsonschema_description:"What it is."`
	MediaType   string `yaml:"media_type,omitempty" jsonschema_description:"Such as text/markdown. Without it, what the name of the file says."`
	Text        string `yaml:"text,omitempty" jsonschema_description:"Its text. With a template, {variable} stands for what the address has there."`
	File        string `yaml:"file,omitempty" jsonschema_description:"The file that holds it, below the workspace. With a template, {variable} stands for what the address has there."`
}

type resource struct {
	ResourceFile
	dir      string
	template *uritemplate.Template // nil for one address
}

// expression is a variable of an address, in the two forms that are known.
var expression = regexp.MustCompile(`\{\+?[A-Za-z_]\w*\}`)

// check finds what no type can, and reads the template.
func (r *resource) check(f *catalog.File) (errs []error) {
	wrong := func(pointer, format string, args ...any) { errs = append(errs, f.Errorf(pointer, format, args...)) }
	if strings.TrimSpace(r.Name) == "" {
		wrong("/name", "the name is empty: give it one")
	}
	switch {
	case r.Text == "" && r.File == "":
		wrong("/uri", "nothing is at this address: write a text or a file")
	case r.Text != "" && r.File != "":
		wrong("/file", "there is a text already: keep one of them")
	}
	if err := r.checkAddress(); err != nil {
		wrong("/uri", "%v", err)
		return errs
	}
	names := r.variables()
	if r.template != nil {
		if err := check(r.Text, names); err != nil {
			wrong("/text", "%v", err)
		}
		if err := check(r.File, names); err != nil {
			wrong("/file", "%v", err)
		}
	}
	if r.File != "" && !filepath.IsLocal(filepath.FromSlash(r.File)) {
		wrong("/file", "%s is not below the workspace: write a path from there", r.File)
	}
	return errs
}

func (r *resource) checkAddress() error {
	if strings.HasPrefix(r.URI, "helve:") {
		return fmt.Errorf("addresses with helve: are the server's own: choose another word before the colon")
	}
	plain := expression.ReplaceAllString(r.URI, "x")
	if strings.ContainsAny(plain, "{}") {
		return fmt.Errorf("a variable is written as {name}, or as {+name} if it may have slashes")
	}
	if u, err := url.Parse(plain); err != nil || u.Scheme == "" {
		return fmt.Errorf("this is no address: it has a word and a colon first, such as notes://today")
	}
	if plain == r.URI {
		return nil
	}
	var err error
	r.template, err = uritemplate.New(r.URI)
	return err
}

func (r *resource) variables() []string {
	if r.template == nil {
		return nil
	}
	return r.template.Varnames()
}

// answers reports whether uri is the resource's, or one of them.
func (r *resource) answers(uri string) bool {
	if r.template == nil {
		return uri == r.URI
	}
	return r.template.Regexp().MatchString(uri)
}

func (r *resource) served() serve.Resource {
	served := serve.Resource{
		Name: r.Name, Title: r.Title, Description: r.Description, MediaType: r.media(),
		Read: func(_ context.Context, uri string) (message.Resource, error) { return r.read(uri) },
	}
	if r.template == nil {
		served.URI = r.URI
	} else {
		served.Template = r.URI
	}
	return served
}

// media is what is known of the content before it is read.
func (r *resource) media() string {
	if r.MediaType != "" {
		return r.MediaType
	}
	if r.Text != "" {
		return "text/plain"
	}
	return mediaType(r.File, nil)
}

// read returns what is at an address of the resource.
func (r *resource) read(uri string) (message.Resource, error) {
	values := map[string]string{}
	if r.template != nil {
		for name, v := range r.template.Match(uri) {
			values[name] = strings.Join(v.V, ",")
		}
	}
	if r.Text != "" {
		text := r.Text
		if r.template != nil {
			text = expand(text, values)
		}
		return message.Resource{MediaType: r.media(), Text: text}, nil
	}
	file := r.File
	if r.template != nil {
		for _, v := range values {
			if !isSafe(v) {
				return message.Resource{}, fs.ErrNotExist
			}
		}
		file = path.Clean(expand(file, values))
	}
	data, err := read(r.dir, file)
	if err != nil {
		return message.Resource{}, err
	}
	media := r.MediaType
	if media == "" {
		media = mediaType(file, data)
	}
	return content(data, media), nil
}
