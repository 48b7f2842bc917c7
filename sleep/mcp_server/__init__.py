"""The MCP server: memory for clients of the Model Context Protocol, over standard streams.

`server` is the shell around the SDK, an extra, and alone loads it. Every write is an awaited child's, through the same
lock and the same gate as any command; recall and the tiers are read in this process. It loads neither git nor Invoke.
"""
