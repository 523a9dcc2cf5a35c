// Package skill reads Agent Skills and gives them to a model: folders with a SKILL.md that
// says what a skill is for and how it is done, and with the files and scripts that go with
// it.
//
//	library, problems := skill.Open(skill.Options{
//		Folders: skill.Folders(home), // the usual ones
//		Runner:  box,                 // a *sandbox.Sandbox
//	})
//	instructions += library.Catalogue()
//	tools = append(tools, library.Tools()...)
//
// A model is told no more than it needs. The catalogue has a name and a description of each
// skill; the tool skill opens one, skill_read reads a file of it, skill_run runs a script of
// it in a sandbox. An agent that needs one skill alone takes [Library.Tool]: a tool of the
// skill's name that does all three.
//
// # What was listed is what runs
//
// A skill is read once. Each of its files is remembered by a digest, and what is read or run
// later is the same, byte for byte, or is refused until the skill is loaded again. Links,
// devices and hidden files are no part of a skill, and files that came later are none either.
//
// # Bad skills
//
// [Load] takes what it can use and says what is wrong, as a warning; [Lint] wants all that the
// format wants. A skill that can't be used hides no other.
//
// # Trust
//
// A skill's text is read by the model as instructions, so who writes it steers the agent.
// Its scripts can do no harm outside of their sandbox. The key allowed-tools can only take
// tools away while the skill is in use ([Library.Narrow]); no skill gives any.
package skill
