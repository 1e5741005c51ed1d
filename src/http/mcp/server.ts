import { VERSION } from '../../kit/version.ts';
import { type Arguments, argumentsOf, problemOf, reads, TOOLS, type Tool } from './tools.ts';

/** Calls the route of a tool. */
export type CallRoute = (tool: Tool, given: Arguments) => Promise<{ status: number; text: string }>;

/** Far more than a model can use from one answer. */
const MOST_CHARACTERS = 200_000;

const INSTRUCTIONS =
  'Tocsin manages who is on call and pages people. Times are ISO 8601. Everything is done in the name of the owner of the API key, and recorded.';

/**
 * Answers one request of the Model Context Protocol, without a session. The SDK is loaded when it is first used, because
 * most installations never use it.
 */
export async function answerMcp(request: Request, body: unknown, call: CallRoute): Promise<Response> {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const server = new Server(
    { name: 'tocsin', title: 'Tocsin', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({ tools: TOOLS.map(described) }));
  server.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) return failed(`There is no tool ${params.name}; list the tools to see all of them.`);
    const given = params.arguments ?? {};
    const problem = problemOf(tool, given);
    if (problem !== null) return failed(problem);
    const { status, text } = await call(tool, given);
    if (text.length > MOST_CHARACTERS)
      return failed(
        `The answer has ${text.length} characters, more than ${MOST_CHARACTERS}; ask for less, with a filter, a limit or a shorter time.`,
      );
    return status < 300 ? { content: [{ type: 'text', text }] } : failed(text);
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

function described(tool: Tool) {
  const { name, title, description } = tool;
  return {
    ...{ name, title, description },
    inputSchema: argumentsOf(tool) as { type: 'object' },
    annotations: {
      title,
      readOnlyHint: reads(tool),
      destructiveHint: !reads(tool),
      openWorldHint: !reads(tool),
    },
  };
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] };
}
