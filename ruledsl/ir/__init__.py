"""What a program is: expressions, operations and blocks over one vector of integers."""
