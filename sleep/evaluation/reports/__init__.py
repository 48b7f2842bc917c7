"""What is made of measurements: figures with intervals, tables, a picture. Pure."""
