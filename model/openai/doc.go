// Package openai speaks to any endpoint that takes OpenAI's chat completions:
// OpenAI itself, Ollama, vLLM, llama.cpp, LM Studio, OpenRouter, DeepSeek and
// others.
//
//	client, err := openai.New(openai.Config{
//		Model:  "gpt-5-mini",
//		APIKey: os.Getenv("OPENAI_API_KEY"),
//	})
//
// A local server needs its address and mostly no key:
//
//	client, err := openai.New(openai.Config{
//		Model:   "qwen3:8b",
//		BaseURL: "http://localhost:11434/v1",
//	})
//
// # What is sent
//
// Tools go into the request's "tools" and nowhere else, in the order of the
// request and byte for byte the same each time. Without tools no "tools" key is
// sent. Reasoning and artifacts are not sent back. A tool's result takes text
// alone, so its images, sounds and files follow in a user message.
//
// # What is read
//
// Calls are read from the answer's own field and never searched for in text.
// What servers do differently is put right here, so that nobody above has to
// know: see the cases of TestOddities. Text, reasoning and pieces of calls come
// as they arrive; the calls come whole at the end, and then the finish.
//
// A call without an ID gets one, and so does a call whose ID another call of the
// answer or of the conversation has: call_0, call_1 and so on.
//
// Arguments that are not JSON come as a [model.InvalidToolCall]. So does a call in
// the middle of which the model was cut off; then the finish reason says that the
// answer is not complete, and none of its calls may run.
package openai
