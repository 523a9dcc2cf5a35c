// Package telemetry watches agents, models and tools with OpenTelemetry: spans and
// metrics with the GenAI names, for any backend that reads them.
//
// A program does three things:
//
//	t, err := telemetry.Start(ctx, telemetry.Options{MetricsAddr: addr}) // and defer t.Shutdown(…)
//	a, err := agent.New(t.Agent(config))
//	events := t.Run(ctx, telemetry.Invocation{Agent: "analyst", Model: client.Info()}, func(ctx context.Context) iter.Seq2[agent.Event, error] {
//		return a.Stream(ctx, prompt)
//	})
//
// Where the environment and the options ask for nothing, Start returns nil. All
// methods take a nil receiver and return what they are given, so that telemetry that
// is off costs nothing. A host with providers of its own calls [New] in place of
// Start. Nothing global is read or set but the environment, by Start.
//
// # What there is
//
//	invoke_agent NAME      a run; by Run
//	  chat MODEL           an answer, repeated requests included; by Agent or Client.
//	                       Its kind is CLIENT, or INTERNAL where the model has no server
//	  execute_tool NAME    a call; by Agent or Executor
//
// Names and attributes are those of the semantic conventions 1.41.1, as the constants
// of this package list them, and one of our own: helve.approval.decision, on calls that
// a person was asked about (see [Telemetry.Ask]). Metrics are histograms:
//
//	gen_ai.client.operation.duration                 s, an answer
//	gen_ai.client.operation.time_to_first_chunk      s
//	gen_ai.client.operation.time_per_output_chunk    s
//	gen_ai.client.token.usage                        {token}, by gen_ai.token.type
//	gen_ai.execute_tool.duration                     s, a call, by gen_ai.tool.name
//	gen_ai.invoke_agent.duration                     s, a run, by gen_ai.agent.name
//	mcp.client.operation.duration                    s, a request tools/call to an MCP
//	                                                 server; a call that is made again
//	                                                 is two
//	mcp.server.operation.duration                    s, a call of an MCP client, with
//	                                                 the time a person takes to answer
//
// A call that goes over MCP, out or in, has no second span: that of the call has
// mcp.method.name, mcp.protocol.version and network.transport.
//
// What failed has error.type: the HTTP status of a model's server, the kind of a
// tool's error (see [tool.Kind]), or canceled, timeout, incomplete,
// invalid_arguments, unfinished, connection, panic, server_error, rate_limit_error,
// overloaded_error, invalid_request_error, _OTHER. In the metrics of MCP it is tool_error
// where the answer is that the tool failed, and else for a client the number of the
// protocol's error. So document 004's rates follow:
//
//	success = count without error.type ÷ count
//	mean    = sum ÷ count
//
// Labels are bounded. A tool that a model made up is _OTHER there, as is what servers
// call their models, and the numbers they give their errors, after the first hundred, and
// no ID is ever a label. Text of errors is in no span: it may quote people or keys. It is
// in the log, whose records have trace_id and span_id (see [Telemetry.LogHandler]).
//
// # The environment
//
//	OTEL_SDK_DISABLED=true            nothing at all, whatever the others say
//	OTEL_TRACES_EXPORTER              otlp, console (standard error), none; a list
//	OTEL_METRICS_EXPORTER             these, and prometheus
//	OTEL_EXPORTER_OTLP_ENDPOINT       a collector; alone it means otlp for both
//	OTEL_EXPORTER_OTLP_PROTOCOL       http/protobuf, grpc; http/json for traces alone:
//	                                  metrics go as http/protobuf, with a warning
//	OTEL_EXPORTER_OTLP_HEADERS        NAME=VALUE,…; never logged
//	OTEL_EXPORTER_PROMETHEUS_HOST     localhost
//	OTEL_EXPORTER_PROMETHEUS_PORT     9464; Options.MetricsAddr is stronger
//	OTEL_SERVICE_NAME                 helve
//	OTEL_RESOURCE_ATTRIBUTES          NAME=VALUE,…
//	OTEL_SEMCONV_STABILITY_OPT_IN     gen_ai_latest_experimental: the names of the
//	                                  conventions that are not released yet
//	OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT
//	                                  SPAN_ONLY, SPAN_AND_EVENT, true: content;
//	                                  NO_CONTENT, false: none, as without it
//
// The OTLP variables exist for each signal too, as OTEL_EXPORTER_OTLP_TRACES_… and
// OTEL_EXPORTER_OTLP_METRICS_…. Those for samplers, batches, limits, certificates
// and timeouts mean what OpenTelemetry says. In two things this package differs: a
// wrong value is an error of [Start], where an SDK would take the default, and without
// any of these variables nothing is sent, where an SDK would send to localhost. Logs
// are not exported: they are slog records, and the host's.
//
// # Content
//
// Prompts, answers, arguments and results are captured only where the environment or
// [Config] asks for it, and then on spans: secrets redacted by the rules of
// [executor.RedactExcerpt], texts cut at 8 KiB and each attribute at 64 KiB, pictures
// and files left out. What looks like no secret stays: such traces are for the eyes of
// those who may read the conversations.
package telemetry
