package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"helve/schema"
)

// Ask asks the person who uses the tool to fill in a T, and waits: see [Runtime.Ask].
// T is a struct whose fields become those of a [Form]; their tags say what they mean,
// as for the parameters of a tool (see package schema).
//
//	type Address struct {
//		Street string `json:"street" jsonschema_description:"Where the parcel goes"`
//		Floor  int    `json:"floor,omitempty" jsonschema:"minimum=0,default=0"`
//	}
//	to, err := tool.Ask[Address](ctx, "Where do you want it delivered?")
//
// The error may be returned as it is: the model reads that the person said no or did not
// answer ([KindDenied]), or that nobody is there ([KindUnavailable], with [ErrNobody] in
// it). A T that no form can have is an error at the first call.
//
// Ask for nothing that the model may not know unless the tool keeps it to itself: what it
// puts into its result the model reads.
func Ask[T any](ctx context.Context, message string) (answer T, err error) {
	fields, err := schema.For[T]()
	if err != nil {
		return answer, fmt.Errorf("tool: Ask[%T]: %w", answer, err)
	}
	form := Form{Message: message, Fields: fields}
	switch inputs, err := form.Inputs(); {
	case err != nil:
		return answer, fmt.Errorf("tool: Ask[%T]: %w", answer, err)
	case len(inputs) == 0:
		return answer, fmt.Errorf("tool: Ask[%T] has no fields: for a yes or no there is Confirm", answer)
	}
	given, err := askPerson(ctx, form)
	if err != nil {
		return answer, err
	}
	switch given.Action {
	case Decline:
		return answer, &Error{Kind: KindDenied, Message: "A person was asked and declined to answer. Go on without the answer, or do something else."}
	case Cancel:
		return answer, &Error{Kind: KindDenied, Message: "A person was asked and gave no answer. Go on without it, or do something else."}
	}
	if err := json.Unmarshal(given.Fields, &answer); err != nil {
		var none T
		return none, misread(err)
	}
	return answer, nil
}

// Confirm asks the person who uses the tool for a yes or no, such as before something is
// deleted. A person who goes away without a choice said no. The error is as of [Ask].
func Confirm(ctx context.Context, message string) (yes bool, err error) {
	answer, err := askPerson(ctx, Form{Message: message})
	return err == nil && answer.Action == Accept, err
}

func askPerson(ctx context.Context, form Form) (Answer, error) {
	answers, err := RuntimeFrom(ctx).Ask(ctx, form)
	switch {
	case errors.Is(err, ErrNobody):
		return Answer{}, AsError(err)
	case err != nil:
		return Answer{}, err
	}
	return answers[0], nil
}

// misread is for what a schema can't say and Go can, such as a number that does not fit
// an int8. It says nothing of the answer itself.
func misread(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("tool: the answer can't be read: %s does not fit %v", mismatch.Field, mismatch.Type)
	}
	return errors.New("tool: the answer can't be read as what was asked for")
}
