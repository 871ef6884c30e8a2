// Program does nothing.
package main

func main() {}
