"""The MCP server: memory for clients that speak the Model Context Protocol over standard input and output.

    offered, prompts     what is offered: tools, prompts                                     pure
    arguments, telling   a call's arguments to a command's words; a command's facts to text  pure
    reading              what is read in this process: recall, and the tiers as resources
    binding              which session a call belongs to
    children             what runs the command itself, as an awaited child
    server               the shell around the SDK, an extra, and the only one that loads it
    command              `sleepwake mcp`

Every write is the command's, so it goes through the same lock and the same gate as any other. Neither git nor Invoke is
loaded here.
"""
