module example.com/memory

go 1.24
