"""How good a memory is: measures, baselines, and the adapters by which an outside harness measures it."""
