package dialect

// wording is what a prompt says, in one language.
type wording struct {
	title, none, tools string

	calling, example, rules string // example: the tool's name
	several, severalForm    string
	single                  string

	results, resultForm, result, wait string // result: the tool's name

	without, plainAnswer, formAnswer string

	// Of the plain list.
	required, optional, anything, parameters string
	oneOf, fallback                          string // what follows is JSON
	open, comma, close, colon                string
}

func (l Language) wording() *wording {
	if l == Chinese {
		return &chinese
	}
	return &english
}

var english = wording{
	title: "# Tools",
	none:  "No tools are available. Answer directly and don't write any call.",
	tools: "You can call tools: they find out what you don't know, and do what you can't do yourself. These are all there are:",

	calling:     "## How to call a tool",
	example:     "Write a call exactly in the form of this one, which calls %s:",
	rules:       "The values in it are only samples. Call nothing but the tools listed above, by their exact names; give every required parameter, and each value in the type that the list says.",
	several:     "One answer may hold several calls, one behind the other, where none of them needs the result of another.",
	severalForm: "Two calls in one answer look like this:",
	single:      "Make one call in an answer. If you need another, make it when you have read the result of the first.",

	results:    "## Results",
	resultForm: "What a tool answers comes to you in the next message, in this form:",
	result:     "(what %s found)",
	wait:       "End your answer after your last call, and wait. Never write a result yourself. Once you know enough, answer the user.",

	without:     "## When no tool fits",
	plainAnswer: "If no tool helps with what is asked, or you need none, answer in plain text, without any call.",
	formAnswer:  "If no tool helps with what is asked, or you need none, or you know enough now, write your answer in this form:",

	required: "required", optional: "optional", anything: "any type", parameters: "no parameters",
	oneOf: "one of ", fallback: "default ",
	open: " (", comma: ", ", close: ")", colon: ": ",
}

var chinese = wording{
	title: "# 工具",
	none:  "当前没有可用的工具。请直接回答，不要写任何工具调用。",
	tools: "你可以调用工具，用来查询你不知道的信息，或完成你自己做不到的事情。可用的工具只有以下这些：",

	calling:     "## 如何调用工具",
	example:     "调用必须完全按照下面的格式书写，此例调用的是 %s：",
	rules:       "例子中的值仅作示意。只能调用上面列出的工具，名称必须完全一致；必填参数都要给出，每个值的类型要符合说明。",
	several:     "如果几个调用互不依赖对方的结果，可以在同一次回答中依次写出。",
	severalForm: "同一次回答中的两个调用这样书写：",
	single:      "每次回答只写一个调用。如需再次调用，请在读到上一个结果之后进行。",

	results:    "## 工具结果",
	resultForm: "工具的结果会在下一条消息中以如下格式给出：",
	result:     "（%s 的结果）",
	wait:       "写完最后一个调用后就结束本次回答，等待结果。不要自己编写结果。信息足够后，再回答用户。",

	without:     "## 没有合适的工具时",
	plainAnswer: "如果没有工具适合当前的问题，或者不需要工具，请直接用普通文本回答，不要写任何调用。",
	formAnswer:  "如果没有工具适合当前的问题，或者不需要工具，或者信息已经足够，请按如下格式写出回答：",

	required: "必填", optional: "可选", anything: "任意类型", parameters: "无参数",
	oneOf: "可选值 ", fallback: "默认值 ",
	open: "（", comma: "，", close: "）", colon: "：",
}
