package main

import (
	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
	"github.com/ollama/ollama/tools"
)

// ollamaTools is the parser for models without one of their own: it knows the
// opening tag, here that of hermes.
func ollamaTools(chunks []string) (out readOut) {
	p := tools.NewParserWithTag(ollamaTool(), "<tool_call>")
	for _, chunk := range chunks {
		calls, content := p.Add(chunk)
		out.ollama(calls, content)
	}
	out.ollama(nil, p.Content())
	return out
}

// ollamaModel is the parser for one family of models.
func ollamaModel(name string) func(chunks []string) readOut {
	return func(chunks []string) (out readOut) {
		p := parsers.ParserForName(name)
		p.Init(ollamaTool(), nil, nil)
		for i, chunk := range chunks {
			content, _, calls, err := p.Add(chunk, i == len(chunks)-1)
			if err != nil {
				return readOut{}
			}
			out.ollama(calls, content)
		}
		return out
	}
}

// ollamaTool is writeTool as Ollama has it.
func ollamaTool() []api.Tool {
	properties := api.NewToolPropertiesMap()
	properties.Set("content", api.ToolProperty{Type: api.PropertyType{"string"}})
	return []api.Tool{{Type: "function", Function: api.ToolFunction{
		Name:        writeTool.Name,
		Description: writeTool.Description,
		Parameters:  api.ToolFunctionParameters{Type: "object", Properties: properties, Required: []string{"content"}},
	}}}
}

func (out *readOut) ollama(calls []api.ToolCall, content string) {
	out.text += len(content)
	for _, c := range calls {
		out.calls++
		value, _ := c.Function.Arguments.Get("content")
		s, _ := value.(string)
		out.value = len(s)
	}
}
