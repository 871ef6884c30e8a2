module example.com/terminal

go 1.24
