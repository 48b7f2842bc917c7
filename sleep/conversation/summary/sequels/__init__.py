"""What later messages make of earlier ones. Pure."""
