"""Compression: ratios, the extractive compressor, and the gate that every compressor must pass. Pure."""
