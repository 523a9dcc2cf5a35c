package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// notBoth is an error where two flags are given that exclude each other. Cobra has
// such an error in words of its own; its marks are for completion.
func notBoth(flags interface{ Changed(name string) bool }, one, other string) error {
	if flags.Changed(one) && flags.Changed(other) {
		return usage("--%s and --%s don't go together: leave one out", one, other)
	}
	return nil
}

// flagError says what is wanted of a flag, where its error tells of the parser
// instead.
func flagError(err error) error {
	cause := errors.Unwrap(err)
	if cause == nil {
		return err
	}
	var want string
	var number *strconv.NumError
	switch {
	case errors.Is(cause, strconv.ErrRange):
		want = "a smaller number"
	case errors.As(cause, &number) && number.Func == "ParseBool":
		want = "true or false"
	case errors.As(cause, &number):
		want = "a whole number"
	case strings.HasPrefix(cause.Error(), "time: "):
		want = "a time, such as 90s or 5m"
	default:
		return err
	}
	return fmt.Errorf("%swant %s", strings.TrimSuffix(err.Error(), cause.Error()), want)
}

// hideFlags leaves out of a command's help those flags of all commands that mean
// nothing to it.
func hideFlags(cmd *cobra.Command, names ...string) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		for _, name := range names {
			cmd.InheritedFlags().Lookup(name).Hidden = true
		}
		cmd.Parent().HelpFunc()(cmd, args)
	})
}
