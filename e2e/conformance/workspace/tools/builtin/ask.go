package fixtures

import (
	"context"
	"errors"
	"fmt"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// Sample asks the client's model. prompt is what it is asked.
//
//helve:tool name=test_sampling
func Sample(ctx context.Context, rt *tool.Runtime, prompt string) (string, error) {
	answers, err := rt.Ask(ctx, tool.Completion{Messages: []message.Message{message.User(prompt)}, MaxTokens: 100})
	if err != nil {
		return "", err
	}
	return "LLM response: " + answers[0].Message.Text(), nil
}

// Elicit asks the person for a name. message is what the person reads.
//
//helve:tool name=test_elicitation
func Elicit(ctx context.Context, rt *tool.Runtime, message string) (string, error) {
	return told(rt.Ask(ctx, tool.Form{Message: message, Fields: schema.MustCompile(`{"type":"object","properties":{"username":{"type":"string","description":"The user's response"},"email":{"type":"string","description":"The user's email address"}},"required":["username","email"]}`)}))
}

// ElicitDefaults asks with a form that is filled in already.
//
//helve:tool name=test_elicitation_sep1034_defaults
func ElicitDefaults(ctx context.Context, rt *tool.Runtime) (string, error) {
	return told(rt.Ask(ctx, tool.Form{Message: "Is this right?", Fields: schema.MustCompile(`{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`)}))
}

// ElicitEnums asks with each kind of choice.
//
//helve:tool name=test_elicitation_sep1330_enums
func ElicitEnums(ctx context.Context, rt *tool.Runtime) (string, error) {
	return told(rt.Ask(ctx, tool.Form{Message: "Which?", Fields: schema.MustCompile(`{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","anyOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]}}}}`)}))
}

// told says what became of a form.
func told(answers []tool.Answer, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Elicitation completed: action=%s, content=%s", answers[0].Action, answers[0].Fields), nil
}

var (
	greeting = tool.Completion{Name: "greeting", Messages: []message.Message{message.User("Generate a greeting")}, MaxTokens: 50}
	folders  = tool.Roots{Name: "client_roots"}
	userName = tool.Form{Name: "user_name", Message: "What is your name?", Fields: schema.MustCompile(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)}
	confirm  = tool.Form{Name: "confirm", Message: "Please confirm", Fields: schema.MustCompile(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)}
)

// NeedsModel needs a client with a model.
//
//helve:tool name=test_missing_capability
func NeedsModel(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, greeting))
}

// AskName asks for a name.
//
//helve:tool name=test_input_required_result_elicitation
func AskName(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, userName))
}

// AskModel asks the client's model.
//
//helve:tool name=test_input_required_result_sampling
func AskModel(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, tool.Completion{Name: "capital_question", Messages: []message.Message{message.User("What is the capital of France?")}, MaxTokens: 100}))
}

// AskFolders asks for the client's folders.
//
//helve:tool name=test_input_required_result_list_roots
func AskFolders(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, folders))
}

// AskConfirmation asks for a word.
//
//helve:tool name=test_input_required_result_request_state
func AskConfirmation(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, confirm))
}

// AskConfirmationAgain asks for a word, too.
//
//helve:tool name=test_input_required_result_tampered_state
func AskConfirmationAgain(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, confirm))
}

// AskAll asks three things at once.
//
//helve:tool name=test_input_required_result_multiple_inputs
func AskAll(ctx context.Context, rt *tool.Runtime) (string, error) {
	return answered(rt.Ask(ctx, userName, greeting, folders))
}

// AskTwice asks one thing after the other.
//
//helve:tool name=test_input_required_result_multi_round
func AskTwice(ctx context.Context, rt *tool.Runtime) (string, error) {
	first, err := rt.Ask(ctx, tool.Form{Name: "step1", Message: "Step 1: What is your name?", Fields: userName.Fields})
	if err != nil {
		return "", err
	}
	second, err := rt.Ask(ctx, tool.Form{Name: "step2", Message: "Step 2: What is your favorite color?", Fields: schema.MustCompile(`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)})
	return answered(append(first, second...), err)
}

// AskWhatCanBeAsked asks the first thing that the client can answer.
//
//helve:tool name=test_input_required_result_capabilities
func AskWhatCanBeAsked(ctx context.Context, rt *tool.Runtime) (string, error) {
	for _, q := range []tool.Question{userName, greeting, folders} {
		if answers, err := rt.Ask(ctx, q); !errors.Is(err, tool.ErrNobody) {
			return answered(answers, err)
		}
	}
	return "nobody can answer", nil
}

// answered says what was answered.
func answered(answers []tool.Answer, err error) (string, error) {
	text := "state-ok:"
	for _, a := range answers {
		text += fmt.Sprintf(" %s %s %s %v", a.Action, a.Fields, a.Message.Text(), a.Roots)
	}
	return text, err
}
