package telemetry

// The names are those of OpenTelemetry's semantic conventions, version 1.41.1, the
// last of the core conventions that has the GenAI names. Later ones live in
// open-telemetry/semantic-conventions-genai, which has no release and no Go module,
// and no package of constants has both: so they are written out here.
const schemaURL = "https://opentelemetry.io/schemas/1.41.0"

// scope names this package as the maker of spans and metrics.
const scope = "helve/telemetry"

// Operations: the values of gen_ai.operation.name, and how the names of spans begin.
const (
	opChat        = "chat"
	opExecuteTool = "execute_tool"
	opInvokeAgent = "invoke_agent"
)

// Attributes.
const (
	attrOperation    = "gen_ai.operation.name"
	attrProvider     = "gen_ai.provider.name"
	attrConversation = "gen_ai.conversation.id"
	attrErrorType    = "error.type"

	attrServerAddress = "server.address"
	attrServerPort    = "server.port"

	attrAgentName        = "gen_ai.agent.name"
	attrAgentDescription = "gen_ai.agent.description"

	attrRequestModel       = "gen_ai.request.model"
	attrRequestStream      = "gen_ai.request.stream"
	attrRequestSeed        = "gen_ai.request.seed"
	attrRequestTemperature = "gen_ai.request.temperature"
	attrRequestMaxTokens   = "gen_ai.request.max_tokens"
	attrRequestStop        = "gen_ai.request.stop_sequences"

	attrResponseID         = "gen_ai.response.id"
	attrResponseModel      = "gen_ai.response.model"
	attrResponseFinish     = "gen_ai.response.finish_reasons"
	attrResponseFirstChunk = "gen_ai.response.time_to_first_chunk"

	attrUsageInput     = "gen_ai.usage.input_tokens"
	attrUsageOutput    = "gen_ai.usage.output_tokens"
	attrUsageCacheRead = "gen_ai.usage.cache_read.input_tokens"
	attrUsageReasoning = "gen_ai.usage.reasoning.output_tokens"

	attrToolName        = "gen_ai.tool.name"
	attrToolType        = "gen_ai.tool.type"
	attrToolDescription = "gen_ai.tool.description"
	attrToolCallID      = "gen_ai.tool.call.id"

	attrTokenType     = "gen_ai.token.type"
	attrTokenModality = "gen_ai.token.modality" // of the unreleased conventions
)

// Attributes of a call that goes over the Model Context Protocol.
const (
	attrMCPMethod   = "mcp.method.name"
	attrMCPProtocol = "mcp.protocol.version"
	attrTransport   = "network.transport"
	attrStatusCode  = "rpc.response.status_code"
)

// methodCall is the only method that is measured.
const methodCall = "tools/call"

// attrApproval is an attribute of our own: the conventions have none.
const attrApproval = "helve.approval.decision"

// Attributes that hold what people, models and tools say. They are set only where
// content is captured.
const (
	attrInstructions    = "gen_ai.system_instructions"
	attrInputMessages   = "gen_ai.input.messages"
	attrOutputMessages  = "gen_ai.output.messages"
	attrToolDefinitions = "gen_ai.tool.definitions"
	attrToolArguments   = "gen_ai.tool.call.arguments"
	attrToolResult      = "gen_ai.tool.call.result"
)

// Metrics of version 1.41.1.
const (
	metricChat       = "gen_ai.client.operation.duration"
	metricFirstChunk = "gen_ai.client.operation.time_to_first_chunk"
	metricNextChunk  = "gen_ai.client.operation.time_per_output_chunk"
	metricTokens     = "gen_ai.client.token.usage"

	metricMCPClient = "mcp.client.operation.duration"
	metricMCPServer = "mcp.server.operation.duration"
)

// Metrics of the unreleased conventions, as their repository had them in November
// 2026. The first two are made always: version 1.41.1 has none in their place.
const (
	metricTool  = "gen_ai.execute_tool.duration"
	metricAgent = "gen_ai.invoke_agent.duration"

	metricAgentChats = "gen_ai.invoke_agent.inference_calls"
	metricAgentTools = "gen_ai.invoke_agent.tool_calls"

	metricLatestChat       = "gen_ai.client.inference.duration"
	metricLatestFirstChunk = "gen_ai.client.inference.time_to_first_chunk"
	metricLatestNextChunk  = "gen_ai.client.inference.time_per_output_chunk"

	metricLatestInput      = "gen_ai.client.inference.usage.input_tokens"
	metricLatestOutput     = "gen_ai.client.inference.usage.output_tokens"
	metricLatestCacheRead  = "gen_ai.client.inference.usage.cache_read.input_tokens"
	metricLatestReasoning  = "gen_ai.client.inference.usage.reasoning.output_tokens"
	metricLatestEachInput  = "gen_ai.client.inference.operation.input_tokens"
	metricLatestEachOutput = "gen_ai.client.inference.operation.output_tokens"
)

// The bounds of histograms, as the conventions give them.
var (
	operationSeconds = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	mcpSeconds       = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}
	agentSeconds     = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6}
	tokenCounts      = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	callCounts       = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// other stands for what has no name of its own: the conventions' word for it.
const other = "_OTHER"
