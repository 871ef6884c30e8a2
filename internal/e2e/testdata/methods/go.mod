module example.com/methods

go 1.24
