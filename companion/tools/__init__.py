"""What the command line does, a module each; imported only when asked for."""
